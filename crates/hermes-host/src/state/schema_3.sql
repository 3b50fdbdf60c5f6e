-- Calls that were counted against a limit a minute, by the rule that sets it. All processes of a home count here,
-- so that starting another one gives nobody more calls.
CREATE TABLE rates (
    rule     TEXT NOT NULL,
    taken_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX rates_by_rule ON rates (rule, taken_ms);
