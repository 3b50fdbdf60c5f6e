//! What a tool takes: its schema and, where that does not say everything, calls of it that work.

use serde_json::{Map, Value};

use super::example::{example, example_with, nearest_at};
use super::explain::Problem;
use crate::schema::{Flat, refs};

const MAX_EXAMPLE_CHARS: usize = 1200;
/// How many fields an example may need that only show once it is looked at.
const MAX_MENDS: usize = 8;

/// A place within the arguments: names of fields and indexes of items.
pub(super) type Place = Vec<String>;

/// What a tool takes.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    pub schema: &'a Value,
    /// Arguments of calls that the tool itself shows.
    pub examples: &'a [Value],
}

/// What somebody is shown who got a call wrong.
pub(super) enum Shown {
    Valid(Value),
    /// The call itself with what was wrong put right: there may be more to its branch than the schema says.
    Mended(Value),
}

impl Shape<'_> {
    /// A short valid example for whoever made this call: in its branch, with the fields at these places. `meant` was
    /// said under other names.
    pub(super) fn example_for(
        &self,
        arguments: &Value,
        (places, meant): (&[Place], &Map<String, Value>),
        problems_of: impl Fn(&Value) -> Vec<Problem>,
    ) -> Option<Shown> {
        let branch = Branch::of(self.schema, arguments);
        let nearest = self.nearest(arguments, places);
        let usable = |candidate: Value| {
            let near = with_nearest(candidate.clone(), &nearest);
            let near = Some(near).filter(|near| *near != candidate);
            let near = near.and_then(|near| self.mended(near, &problems_of));
            near.or_else(|| self.mended(candidate, &problems_of)).filter(is_short)
        };
        // A schema without branches says enough by itself, but for what goes only with something else.
        let own = match branch.is_only_one {
            true => self.own_example_of(places),
            false => self.own_example(&branch, places).map(|own| self.with_places(own, places)),
        };
        if let Some(own) = own.and_then(usable) {
            return Some(Shown::Valid(own));
        }
        let wanted = branch.places().chain(places.iter().cloned()).collect::<Vec<_>>();
        let built = branch.put_into(example_with(self.schema, &wanted));
        if !self.examples.is_empty() && !branch.is_only_one {
            let call = with_rest(built, arguments, (self.schema, places));
            return usable(with_meant(call.clone(), meant)).or_else(|| usable(call)).map(Shown::Mended);
        }
        usable(self.in_own_words(built.clone()))
            .or_else(|| usable(built))
            .or_else(|| usable(branch.put_into(example(self.schema))))
            .or_else(|| usable(example(self.schema)))
            .map(Shown::Valid)
    }

    /// Numbers that were too large or too small: what comes nearest to them, each with its place.
    fn nearest(&self, arguments: &Value, places: &[Place]) -> Vec<(String, Value)> {
        let near = |place: &Place| {
            let pointer = pointer_to(place);
            let near = nearest_at(self.schema, place, arguments.pointer(&pointer)?)?;
            Some((pointer, near))
        };
        places.iter().filter_map(near).collect()
    }

    /// The first call that the tool itself shows of this branch, for whoever passed the schema and still got it
    /// wrong. Where every call is asked for the same fields, nobody needs to be shown them.
    pub fn example_in_branch(&self, arguments: &Value) -> Option<Value> {
        let branch = Branch::of(self.schema, arguments);
        if branch.is_only_one && self.asks_for_something() {
            return None;
        }
        self.own_example(&branch, &[]).filter(is_short)
    }

    fn own_example(&self, branch: &Branch, places: &[Place]) -> Option<Value> {
        let names = |place: &Place| place.first().cloned();
        let shows =
            |example: &&Value| places.iter().filter_map(names).all(|name| example.get(name).is_some());
        let in_branch = || self.examples.iter().filter(|example| branch.has(example));
        in_branch().find(shows).or_else(|| in_branch().next()).cloned()
    }

    /// The shortest call that the tool itself shows with all fields at these places that not every call has.
    fn own_example_of(&self, places: &[Place]) -> Option<Value> {
        let required = self.schema.get("required").and_then(Value::as_array);
        let is_optional =
            |name: &&String| !required.is_some_and(|all| all.iter().any(|known| known == *name));
        let names: Vec<&String> =
            places.iter().filter_map(|place| place.first()).filter(is_optional).collect();
        // Where nothing is asked for, a call with nothing in it may still be refused.
        if names.is_empty() && self.asks_for_something() {
            return None;
        }
        let shows = |example: &&Value| names.iter().all(|name| example.get(name.as_str()).is_some());
        let length = |example: &&Value| example.as_object().map_or(0, Map::len);
        self.examples.iter().filter(shows).min_by_key(length).cloned()
    }

    /// The example with values that the tool itself shows, where it shows any: they say more than the schema knows.
    fn in_own_words(&self, mut example: Value) -> Value {
        for (name, value) in example.as_object_mut().into_iter().flatten() {
            let shown = self.examples.iter().find_map(|own| own.get(name)).filter(|own| !own.is_object());
            if let Some(shown) = shown {
                *value = shown.clone();
            }
        }
        example
    }

    fn asks_for_something(&self) -> bool {
        let required = self.schema.get("required").and_then(Value::as_array);
        required.is_some_and(|required| !required.is_empty())
    }

    /// The same with a right value at each place that it lacks.
    fn with_places(&self, own: Value, places: &[Place]) -> Value {
        let Value::Object(mut fields) = own else { return own };
        let right = example_with(self.schema, places);
        for name in places.iter().filter_map(|place| place.first()) {
            if let Some(value) = right.get(name).filter(|_| !fields.contains_key(name)) {
                fields.insert(name.clone(), value.clone());
            }
        }
        Value::Object(fields)
    }

    /// The example with what a condition of the schema asks for besides, if it is valid then.
    fn mended(&self, mut example: Value, problems_of: &impl Fn(&Value) -> Vec<Problem>) -> Option<Value> {
        for _ in 0..MAX_MENDS {
            let problems = problems_of(&example);
            if problems.is_empty() {
                return Some(example);
            }
            let missing = |problem: &Problem| problem.missing.clone().filter(|_| problem.path.is_empty());
            let lacking: Vec<String> = problems.iter().filter_map(missing).collect();
            let fields = example.as_object_mut().filter(|_| !lacking.is_empty())?;
            for name in lacking {
                let right = example_with(self.schema, &[vec![name.clone()]]);
                fields.insert(name.clone(), right.get(&name).cloned().unwrap_or_else(|| "text".into()));
            }
        }
        None
    }
}

/// The example with the fields of the call that are known and right, none of which is at one of these places.
fn with_rest(mut example: Value, arguments: &Value, (schema, places): (&Value, &[Place])) -> Value {
    if let (Some(fields), Some(said)) = (example.as_object_mut(), arguments.as_object()) {
        let known = |name: &str| schema.get("properties").is_some_and(|all| all.get(name).is_some());
        let is_right =
            |name: &str| places.iter().all(|place| place.first().is_none_or(|first| first != name));
        for (name, value) in said.iter().filter(|(name, _)| known(name)) {
            if is_right(name) || !fields.contains_key(name) {
                fields.insert(name.clone(), value.clone());
            }
        }
    }
    example
}

/// The call with what was said under other names.
fn with_meant(mut call: Value, meant: &Map<String, Value>) -> Value {
    for (name, value) in meant.iter().filter(|(_, value)| !value.is_null()) {
        if let Some(fields) = call.as_object_mut() {
            fields.insert(name.clone(), value.clone());
        }
    }
    call
}

fn pointer_to(place: &Place) -> String {
    place.iter().map(|step| format!("/{}", step.replace('~', "~0").replace('/', "~1"))).collect()
}

/// The example with these values where it has any.
fn with_nearest(mut example: Value, nearest: &[(String, Value)]) -> Value {
    for (pointer, value) in nearest {
        if let Some(shown) = example.pointer_mut(pointer) {
            *shown = value.clone();
        }
    }
    example
}

fn is_short(example: &Value) -> bool {
    example.to_string().chars().nth(MAX_EXAMPLE_CHARS).is_none()
}

/// The fields that choose between kinds of calls, such as a mode or an action, with what a call says for them.
struct Branch {
    chosen: Map<String, Value>,
    defaults: Map<String, Value>,
    /// Whether the schema leaves nothing to choose.
    is_only_one: bool,
}

impl Branch {
    fn of(schema: &Value, arguments: &Value) -> Self {
        let mut branch = Branch { chosen: Map::new(), defaults: Map::new(), is_only_one: true };
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let Some(values) = closed_set(schema, property) else { continue };
            branch.is_only_one = false;
            if let Some(default) = property.get("default").filter(|default| !default.is_null()) {
                branch.defaults.insert(name.clone(), default.clone());
            }
            let said = arguments.get(name).filter(|said| values.contains(said));
            if let Some(said) =
                said.or_else(|| branch.defaults.get(name).filter(|_| arguments.get(name).is_none()))
            {
                branch.chosen.insert(name.clone(), said.clone());
            }
        }
        branch
    }

    /// Whether a call belongs to it.
    fn has(&self, call: &Value) -> bool {
        self.chosen
            .iter()
            .all(|(name, value)| call.get(name).or_else(|| self.defaults.get(name)) == Some(value))
    }

    /// The fields that have to be said.
    fn said(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.chosen.iter().filter(|(name, value)| self.defaults.get(*name) != Some(value))
    }

    fn places(&self) -> impl Iterator<Item = Place> {
        self.said().map(|(name, _)| vec![name.clone()])
    }

    fn put_into(&self, mut example: Value) -> Value {
        if let Some(fields) = example.as_object_mut() {
            fields.extend(self.said().map(|(name, value)| (name.clone(), value.clone())));
        }
        example
    }
}

/// The values of a field that takes one of several texts.
fn closed_set<'a>(root: &'a Value, property: &'a Value) -> Option<Vec<&'a Value>> {
    let mut flat = Flat::default();
    let mut waiting = vec![property.as_object()?];
    while let Some(rules) = waiting.pop() {
        if flat.len() >= refs::MAX_HOPS {
            break;
        }
        flat.add(rules);
        let target = rules.get("$ref").and_then(Value::as_str).and_then(|target| refs::resolve(root, target));
        let parts = rules.get("allOf").and_then(Value::as_array).into_iter().flatten();
        waiting.extend(target.into_iter().chain(parts).filter_map(Value::as_object));
    }
    let alternatives = || flat.list("oneOf").or_else(|| flat.list("anyOf")).unwrap_or_default().iter();
    let of_each = alternatives().flat_map(|branch| {
        let listed = branch.get("enum").and_then(Value::as_array).into_iter().flatten();
        branch.get("const").into_iter().chain(listed)
    });
    let values: Vec<&Value> = flat.list("enum").unwrap_or_default().iter().chain(of_each).collect();
    let texts = values.iter().filter(|value| value.is_string()).count();
    (texts >= 2).then_some(values)
}
