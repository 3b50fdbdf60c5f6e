//! Archives made to harm: none is unpacked, and none leaves anything behind.

use std::io::{Cursor, Write};

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::json;
use zip::write::SimpleFileOptions;

use super::file_compress::names;
use crate::support::{failure, value};

/// An entry that no honest archive has.
#[derive(Clone)]
pub(super) struct Evil {
    name: String,
    content: Vec<u8>,
    kind: tar::EntryType,
    mode: u32,
}

impl Evil {
    pub(super) fn file(name: &str, content: &[u8]) -> Self {
        Evil { name: name.to_owned(), content: content.to_vec(), kind: tar::EntryType::Regular, mode: 0o644 }
    }

    pub(super) fn with_mode(self, mode: u32) -> Self {
        Evil { mode, ..self }
    }

    fn of(kind: tar::EntryType) -> Self {
        Evil { kind, ..Evil::file("entry", b"") }
    }
}

pub(super) fn tar_of(entries: &[Evil]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for entry in entries {
        let mut header = tar::Header::new_gnu();
        // Past the library's own checks, as an attacker would.
        let name = entry.name.as_bytes();
        let room = &mut header.as_old_mut().name;
        let length = name.len().min(room.len());
        room[..length].copy_from_slice(&name[..length]);
        header.set_entry_type(entry.kind);
        header.set_size(entry.content.len() as u64);
        header.set_mode(entry.mode);
        if matches!(entry.kind, tar::EntryType::Symlink | tar::EntryType::Link) {
            let link = &mut header.as_old_mut().linkname;
            link[..11].copy_from_slice(b"/etc/passwd");
        }
        header.set_cksum();
        builder.append(&header, entry.content.as_slice()).unwrap();
    }
    builder.into_inner().unwrap()
}

pub(super) fn zip_of(entries: &[Evil]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for entry in entries {
        let options = SimpleFileOptions::default().unix_permissions(entry.mode);
        if entry.kind == tar::EntryType::Symlink {
            writer.add_symlink(entry.name.clone(), "/etc/passwd", options).unwrap();
        } else {
            writer.start_file(entry.name.clone(), options).unwrap();
            writer.write_all(&entry.content).unwrap();
        }
    }
    writer.finish().unwrap().into_inner()
}

/// As a library that checks no name would write it.
pub(super) fn seven_zip_of(entries: &[Evil]) -> Vec<u8> {
    let mut writer = sevenz_rust2::ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
    writer.set_content_methods(vec![sevenz_rust2::encoder_options::Lzma2Options::from_level(0).into()]);
    for entry in entries {
        let kind = match entry.kind {
            tar::EntryType::Symlink => 0o120_000,
            tar::EntryType::Char => 0o020_000,
            tar::EntryType::Block => 0o060_000,
            tar::EntryType::Fifo => 0o010_000,
            _ => 0o100_000,
        };
        let mut described = sevenz_rust2::ArchiveEntry::new_file(&entry.name);
        described.has_windows_attributes = true;
        described.windows_attributes = 0x8000 | (kind | entry.mode) << 16;
        let content = if kind == 0o100_000 { entry.content.as_slice() } else { b"/etc/passwd" };
        let content = (!content.is_empty()).then_some(content);
        writer.push_archive_entry(described, content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A 7z archive whose compressed list of contents says that it will be `size` bytes long.
fn seven_zip_with_list_of(size: u64) -> Vec<u8> {
    let packed = [1, 0, 0, 0, 0];
    let number = |value: u64| [&[0xff][..], &value.to_le_bytes()].concat();
    let list = [
        &[0x17, 0x06, 0, 1, 0x09, packed.len() as u8, 0, 0x07, 0x0b, 1, 0, 1, 0x21, 0x21, 1, 24, 0x0c][..],
        &number(size),
        &[0, 0],
    ]
    .concat();
    let sum = |bytes: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum().to_le_bytes()
    };
    let length = |value: usize| (value as u64).to_le_bytes();
    let start = [&length(packed.len())[..], &length(list.len()), &sum(&list)].concat();
    [b"7z\xbc\xaf\x27\x1c\0\x04", &sum(&start)[..], &start, &packed, &list].concat()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Every way to be evil, in every place of an archive, in every format.
fn evil_archives() -> Vec<(String, Vec<u8>)> {
    let mut evils: Vec<Evil> = Vec::new();
    for name in [
        "../x",
        "../../x",
        "a/../../x",
        "/x",
        "//x",
        "/etc/x",
        "a/..",
        "..",
        "./../x",
        "a/b/../../../x",
        "..\\x",
        "a\\..\\..\\x",
        "C:/x",
        "c:\\x",
        "\\x",
        "a\nb",
        "a\rb",
        "a\u{1b}[2Jb",
        "a\u{7}b",
        "../work/../x",
        "....//../x",
        "a/./../../b",
        "d/d/d/../../../../x",
    ] {
        evils.push(Evil::file(name, b"evil"));
    }
    for kind in [
        tar::EntryType::Symlink,
        tar::EntryType::Link,
        tar::EntryType::Char,
        tar::EntryType::Block,
        tar::EntryType::Fifo,
    ] {
        evils.push(Evil::of(kind));
    }
    evils.push(Evil::file(&"d/".repeat(48), b""));
    // The same name twice, and a file that is also a folder.
    let pairs = [
        [Evil::file("twice", b"1"), Evil::file("twice", b"2")],
        [Evil::file("both", b"1"), Evil::file("both/below", b"2")],
    ];
    let good = Evil::file("good.txt", b"good");
    let mut archives = Vec::new();
    let mut add = |what: String, entries: &[Evil], with_zip: bool| {
        let tar = tar_of(entries);
        archives.push((format!("{what}.tar.gz"), gz(&tar)));
        archives.push((format!("{what}.tar.zst"), zstd::encode_all(tar.as_slice(), 3).unwrap()));
        archives.push((format!("{what}.tar.xz"), xz(&tar)));
        archives.push((format!("{what}.tar"), tar));
        if with_zip {
            archives.push((format!("{what}.zip"), zip_of(entries)));
        }
        // There are no hard links in it.
        if entries.iter().all(|entry| entry.kind != tar::EntryType::Link) {
            archives.push((format!("{what}.7z"), seven_zip_of(entries)));
        }
    };
    for (index, evil) in evils.iter().enumerate() {
        let in_zip = matches!(evil.kind, tar::EntryType::Regular | tar::EntryType::Symlink)
            && !evil.name.contains("d/d/d/d/");
        for (place, entries) in [
            ("alone", vec![evil.clone()]),
            ("first", vec![evil.clone(), good.clone()]),
            ("last", vec![good.clone(), evil.clone()]),
            ("middle", vec![good.clone(), evil.clone(), Evil::file("more.txt", b"more")]),
        ] {
            // A name of folders only is no file; it is an entry too deep once it has a name at its end.
            if !evil.name.starts_with("d/d/d/d/") {
                add(format!("{index}-{place}"), &entries, in_zip);
            }
        }
    }
    for (index, pair) in pairs.iter().enumerate() {
        add(format!("pair-{index}"), pair, false);
    }
    // Archives that are cut, flipped or something else altogether.
    let sound = vec![good.clone(), Evil::file("b.txt", &[7; 5_000])];
    for (name, bytes) in [
        ("zip", zip_of(&sound)),
        ("tar.gz", gz(&tar_of(&sound))),
        ("tar.xz", xz(&tar_of(&sound))),
        ("7z", seven_zip_of(&sound)),
    ] {
        for step in 1..64 {
            let cut = bytes.len() * step / 64;
            archives.push((format!("cut-{step}.{name}"), bytes[..cut].to_vec()));
        }
    }
    for name in ["zip", "tar.gz", "tar.zst", "tar.xz", "7z", "gz", "zst", "xz"] {
        archives.push((format!("text.{name}"), b"this is no archive".to_vec()));
        archives.push((format!("empty.{name}"), Vec::new()));
    }
    archives
}

#[tokio::test]
async fn hostile_archives_are_refused_and_leave_nothing_behind() {
    let test = TestRuntime::new().await;
    let archives = evil_archives();
    assert!(archives.len() >= 500, "only {} archives", archives.len());
    let around = test.workspace().parent().unwrap().to_owned();
    for (index, (what, bytes)) in archives.iter().enumerate() {
        let ending = what.split_once('.').unwrap().1;
        let name = format!("evil-{index}.{ending}");
        test.write(&name, bytes);
        let arguments = json!({"action": "extract", "source": name, "destination": "out"});
        let outcome = test.call("file_compress", arguments).await;
        assert!(!outcome.is_success(), "{what} was unpacked: {:?}", outcome.result);
        assert!(!test.path("out").exists(), "{what} left something behind: {:?}", names(&test.path("out")));
        std::fs::remove_file(test.path(&name)).unwrap();
        assert_eq!(names(test.workspace()), Vec::<String>::new(), "{what}");
    }
    let mut outside = names(&around);
    outside.retain(|name| !name.starts_with("home"));
    assert_eq!(outside, ["work"]);
}

#[tokio::test]
async fn bombs_are_stopped_early() {
    let test = TestRuntime::new().await;
    let zeros = vec![0; 64 * 1024 * 1024];
    let tar = tar_of(&[Evil::file("zeros", &zeros)]);
    let many: Vec<Evil> = (0..20_001).map(|index| Evil::file(&format!("f{index}"), b"")).collect();
    for (name, bytes) in [
        ("a.gz", gz(&zeros)),
        ("a.tar.gz", gz(&tar)),
        ("a.tar.zst", zstd::encode_all(tar.as_slice(), 19).unwrap()),
        ("a.zst", zstd::encode_all(zeros.as_slice(), 19).unwrap()),
        ("a.xz", xz(&zeros)),
        ("a.tar.xz", xz(&tar)),
        ("a.zip", zip_of(&[Evil::file("zeros", &zeros)])),
        ("a.7z", seven_zip_of(&[Evil::file("zeros", &zeros[..8 * 1024 * 1024])])),
        ("list.7z", seven_zip_with_list_of(1 << 40)),
        ("many.7z", seven_zip_of(&many)),
        ("many.tar", tar_of(&many)),
        ("quine.gz", gz(&gz(&gz(&zeros)))[..].to_vec()),
    ] {
        test.write(name, &bytes);
        let outcome = test
            .call("file_compress", json!({"action": "extract", "source": name, "destination": "out"}))
            .await;
        if name == "quine.gz" {
            // One layer of it is as small as it looks.
            value(outcome);
            std::fs::remove_dir_all(test.path("out")).unwrap();
            continue;
        }
        assert_eq!(failure(outcome).code, ErrorCode::TooLarge, "{name}");
        assert!(!test.path("out").exists(), "{name} left something behind");
    }
}
