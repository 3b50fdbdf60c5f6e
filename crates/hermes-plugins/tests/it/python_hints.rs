//! What Python's hints and docstrings say is what calls are held to, in every style they are written in.

use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use super::support::{enable, write_python};

const STYLES: &str = r#"
import dataclasses, enum
from typing import Annotated, List, Literal, Optional, Tuple, Union
from hermes.tools import tool

class Colour(enum.Enum):
    RED = "red"

@dataclasses.dataclass
class Point:
    """A place.

    Attributes:
        x: From left to right.
    """
    x: int
    colour: Optional[Colour] = None

@tool
def google(a: str, b: int = 1):
    """Google.

    More about it.

    Args:
        a (Union[str, Tuple[(int)]]): The first,
            which goes on: here.
        b: The second.

    Returns:
        nothing: at all
    """

@tool
def numpy(a: float, b: int = 0, c: int = 0):
    """NumPy.

    Parameters
    ----------
    a : float
        The first,
        which goes on.
    b, c : int, optional
        Both others.

    Returns
    -------
    x : float
        Not a parameter.
    """

@tool
def rest(a: str, b: int = 1):
    """ReST.

    :param str a: The first,
        which goes on.
    :type a: str
    :param b: The second.
    :returns: nothing
    """

@tool
def only_sections(a: str):
    """
    Args:
        a: The first.
    """

@tool
def takes(a: Annotated[int, "How many."] = 1, b: Optional[int] = None, c: Literal["x", "y"] = None,
          d: Tuple[int, str, Point] = None, e: Union[int, List[str], None] = None, f: Point = None, **more):
    "Takes what its hints say."
    kinds = [type(item).__name__ for item in (b, c, d, e, f)]
    return {"a": a, "kinds": kinds, "third": type(d[2]).__name__ if d else None, "more": more}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn docstrings_describe_in_three_styles() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let _own = enable(&runtime, &write_python(&runtime, "styles", STYLES)).await;
    let snapshot = runtime.runtime().registry().snapshot();
    let described = |name: &str| {
        let info = snapshot.get(name).unwrap().info();
        let properties = info.parameters["properties"].as_object().unwrap();
        let said = properties.iter().map(|(name, schema)| json!([name, schema["description"]]));
        (info.description.clone(), Value::Array(said.collect()))
    };
    assert_eq!(
        described("google"),
        ("Google.".to_owned(), json!([["a", "The first, which goes on: here."], ["b", "The second."]]))
    );
    assert_eq!(
        described("numpy"),
        (
            "NumPy.".to_owned(),
            json!([["a", "The first, which goes on."], ["b", "Both others."], ["c", "Both others."]])
        )
    );
    assert_eq!(
        described("rest"),
        ("ReST.".to_owned(), json!([["a", "The first, which goes on."], ["b", "The second."]]))
    );
    assert_eq!(described("only_sections"), ("only_sections".to_owned(), json!([["a", "The first."]])));
    let takes = snapshot.get("takes").unwrap().info().parameters.clone();
    assert_eq!(takes["properties"]["a"]["description"], "How many.");
    let point = &takes["properties"]["f"]["anyOf"][0];
    assert_eq!(point["properties"]["x"]["description"], "From left to right.");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_be_left_out_may_be_null_and_tuples_have_their_places() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let _own = enable(&runtime, &write_python(&runtime, "styles", STYLES)).await;
    for (arguments, expected) in [
        (json!({}), json!(["NoneType", "NoneType", "NoneType", "NoneType", "NoneType"])),
        (
            json!({"b": null, "c": null, "d": null, "e": null, "f": null}),
            json!(["NoneType", "NoneType", "NoneType", "NoneType", "NoneType"]),
        ),
        (
            json!({"b": "7", "c": "y", "d": [1, "a", {"x": 1}], "e": ["s"], "f": {"x": 1, "colour": null}}),
            json!(["int", "str", "tuple", "list", "Point"]),
        ),
    ] {
        let result = runtime.call("takes", arguments.clone()).await.result.unwrap();
        assert_eq!(result["kinds"], expected, "{arguments}: {result}");
    }
    let result = runtime.call("takes", json!({"d": [1, "a", {"x": 1}], "extra": 5})).await.result.unwrap();
    assert_eq!((&result["third"], &result["more"]), (&json!("Point"), &json!({"extra": 5})));
    for wrong in [json!({"d": [1, "a"]}), json!({"b": "x"}), json!({"c": "z"}), json!({"f": {"y": 1}})] {
        assert!(runtime.call("takes", wrong.clone()).await.result.is_err(), "{wrong}");
    }
}
