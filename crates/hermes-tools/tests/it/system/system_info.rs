use std::process::Command;

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::{code, value};

fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn near(ours: &Value, theirs: u64, slack: u64) -> bool {
    ours.as_u64().unwrap().abs_diff(theirs) <= slack
}

#[tokio::test]
async fn says_what_the_usual_programs_say() {
    let test = TestRuntime::new().await;
    let info = value(test.call("system_info", json!({"interval_ms": 50})).await);
    for section in ["os", "cpu", "memory", "disks", "network", "processes"] {
        assert!(!info[section].is_null(), "{section}");
    }
    assert!(info["gpus"].is_null() && info["batteries"].is_null(), "only on request");
    if let Some(nproc) = output_of("nproc", &[]) {
        assert_eq!(info["cpu"]["logical"].as_u64(), nproc.trim().parse().ok());
    }
    if let (Some(df), Some(root)) = (
        output_of("df", &["-B1", "--output=size,used", "/"]),
        info["disks"].as_array().unwrap().iter().find(|disk| disk["mount"] == "/"),
    ) {
        let numbers: Vec<u64> =
            df.lines().nth(1).unwrap().split_whitespace().map(|number| number.parse().unwrap()).collect();
        assert_eq!(root["total"].as_u64(), Some(numbers[0]));
        assert!(near(&root["used"], numbers[1], 1 << 30));
    }
    if let Some(free) = output_of("free", &["-b"]).filter(|_| info["cgroup"]["memory_limit"].is_null()) {
        let total = free.lines().nth(1).unwrap().split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(near(&info["memory"]["total"], total, 0));
    }
    let uptime = std::fs::read_to_string("/proc/uptime").unwrap();
    let seconds = uptime.split('.').next().unwrap().parse().unwrap();
    assert!(near(&info["os"]["uptime_s"], seconds, 5));
}

#[tokio::test]
async fn the_busiest_processes_come_first_and_only_what_was_asked_for() {
    let test = TestRuntime::new().await;
    let arguments = json!({"sections": ["processes"], "top": 2, "interval_ms": 100});
    let info = value(test.call("system_info", arguments).await);
    let processes = info["processes"].as_array().unwrap();
    assert!(processes.len() == 2 || processes.len() == 1);
    assert!(info["os"].is_null() && info["memory"].is_null());
    let percents: Vec<f64> =
        processes.iter().map(|process| process["cpu_percent"].as_f64().unwrap()).collect();
    assert!(percents.is_sorted_by(|a, b| a >= b));
    let devices = value(test.call("system_info", json!({"sections": ["gpu", "battery"]})).await);
    assert!(devices["gpus"].is_array() && devices["batteries"].is_array());
}

#[tokio::test]
async fn needs_the_permission_and_sane_numbers() {
    let test = TestRuntime::builder().deny("system:read").build().await;
    assert_eq!(code(test.call("system_info", json!({})).await), ErrorCode::PermissionDenied);
    let test = TestRuntime::new().await;
    for arguments in [json!({"interval_ms": 10}), json!({"top": 51}), json!({"sections": ["x"]})] {
        assert_eq!(code(test.call("system_info", arguments).await), ErrorCode::InvalidArgument);
    }
}
