-- Stored approvals. A use is counted by one UPDATE that also checks that the grant still holds, so any
-- number of processes may share a budget.
CREATE TABLE grants (
    id           TEXT PRIMARY KEY,
    created_ms   INTEGER NOT NULL,
    created_by   TEXT NOT NULL,
    tool         TEXT NOT NULL,
    permission   TEXT,
    pattern      TEXT NOT NULL,
    files        TEXT NOT NULL,
    scope        TEXT NOT NULL,
    actor        TEXT,
    uses_left    INTEGER CHECK (uses_left >= 0),
    uses         INTEGER NOT NULL DEFAULT 0,
    expires_ms   INTEGER,
    reason       TEXT NOT NULL,
    revoked_ms   INTEGER,
    last_used_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX grants_by_tool ON grants (tool) WHERE revoked_ms IS NULL;

-- Questions that wait for an answer, and the answers. An answer holds for the digest it was given for.
CREATE TABLE approvals (
    id         TEXT PRIMARY KEY,
    digest     TEXT NOT NULL,
    tool       TEXT NOT NULL,
    session    TEXT NOT NULL,
    actor      TEXT NOT NULL,
    request    TEXT NOT NULL,
    offer      TEXT,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'expired', 'used')),
    decided_ms INTEGER,
    decided_by TEXT,
    reason     TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX approvals_open ON approvals (digest) WHERE state IN ('pending', 'approved');
