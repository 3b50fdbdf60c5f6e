//! A number that a schema's bounds allow.

use serde_json::{Number, Value};

use crate::schema::Flat;

/// The smallest number that the bounds allow, 1 where they allow it.
pub(super) fn number_example(rules: &Flat<'_>, whole: bool) -> Value {
    let bounds = Bounds::of(rules, whole);
    let mut chosen = bounds.least.map_or(1.0, |least| least.max(1.0));
    if let Some(most) = bounds.most.filter(|most| chosen > *most) {
        chosen = match (bounds.above, bounds.below) {
            (Some(above), Some(below)) if !whole => f64::midpoint(above, below),
            _ => bounds.least.map_or(most, |least| least.min(most)),
        };
    }
    if let Some(step) = bounds.step {
        chosen = (chosen / step).ceil() * step;
    }
    to_value(if whole { chosen.ceil() } else { chosen }, whole)
}

/// The bound that a number passes; `None` if it is within them all.
pub(super) fn nearest_number(rules: &Flat<'_>, whole: bool, said: f64) -> Option<Value> {
    let bounds = Bounds::of(rules, whole);
    let step = bounds.step.or(whole.then_some(1.0));
    let onto = |bound: f64, round: fn(f64) -> f64| step.map_or(bound, |step| round(bound / step) * step);
    let chosen = match (bounds.least, bounds.most) {
        (_, Some(most)) if said > most => onto(most, f64::floor),
        (Some(least), _) if said < least => onto(least, f64::ceil),
        _ => return None,
    };
    Some(to_value(chosen, whole))
}

struct Bounds {
    above: Option<f64>,
    below: Option<f64>,
    least: Option<f64>,
    most: Option<f64>,
    step: Option<f64>,
}

impl Bounds {
    fn of(rules: &Flat<'_>, whole: bool) -> Self {
        let bound = |keyword: &str| rules.get(keyword).and_then(Value::as_f64);
        let is_exclusive = |keyword: &str| rules.get(keyword) == Some(&Value::Bool(true));
        let above = bound("exclusiveMinimum")
            .or_else(|| bound("minimum").filter(|_| is_exclusive("exclusiveMinimum")));
        let below = bound("exclusiveMaximum")
            .or_else(|| bound("maximum").filter(|_| is_exclusive("exclusiveMaximum")));
        let least = above.map(|limit| if whole { limit.floor() + 1.0 } else { limit + 1.0 });
        let most = below.map(|limit| if whole { limit.ceil() - 1.0 } else { limit - 1.0 });
        Bounds {
            above,
            below,
            least: least.or_else(|| bound("minimum")),
            most: most.or_else(|| bound("maximum")),
            step: bound("multipleOf").filter(|step| *step > 0.0),
        }
    }
}

fn to_value(number: f64, whole: bool) -> Value {
    if whole || number.fract() == 0.0 {
        // Saturates far outside of any honest bound.
        return (number as i64).into();
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}
