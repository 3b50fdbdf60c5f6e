//! Redaction: what must go, what must stay, and that it is done once.
