-- Decisions and outcomes, each row bound to the one before it by its hash.
CREATE TABLE journal (
    seq     INTEGER PRIMARY KEY,
    at_ms   INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    call_id TEXT NOT NULL,
    session TEXT NOT NULL,
    tool    TEXT NOT NULL,
    status  TEXT,
    body    TEXT NOT NULL,
    writer  TEXT NOT NULL,
    prev    BLOB NOT NULL,
    hash    BLOB NOT NULL
) STRICT;

CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

-- What is loose: the end of the chain (the row with seq 0, kept apart from the journal so that a cut tail
-- is noticed), and the calls that were let in and have no outcome yet, which is all that recovery needs
-- to look at. One table, because every page a commit touches costs as much as the row itself.
CREATE TABLE journal_tip (
    call_id  TEXT NOT NULL,
    session  TEXT NOT NULL,
    seq      INTEGER NOT NULL,
    tool     TEXT NOT NULL DEFAULT '',
    writer   TEXT NOT NULL DEFAULT '',
    head_seq INTEGER,
    hash     BLOB,
    PRIMARY KEY (call_id, session, seq)
) STRICT, WITHOUT ROWID;

INSERT INTO journal_tip (call_id, session, seq, head_seq, hash) VALUES ('', '', 0, 0, zeroblob(32));

CREATE TRIGGER journal_head_no_delete BEFORE DELETE ON journal_tip WHEN OLD.seq = 0
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TRIGGER journal_head_only_forward BEFORE UPDATE ON journal_tip WHEN NEW.head_seq <= OLD.head_seq
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TABLE session_state (
    session    TEXT NOT NULL,
    slot       TEXT NOT NULL,
    value      TEXT NOT NULL,
    updated_ms INTEGER NOT NULL,
    PRIMARY KEY (session, slot)
) STRICT, WITHOUT ROWID;
