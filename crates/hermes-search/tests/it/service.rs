//! The service that a caller names comes first, if it has a tool that fits.

use hermes_search::{Library, Query};

use crate::support::{document, embed};

const TOOLS: &[(&str, &str, &str)] = &[
    ("github", "create_issue", "Open an issue in a repository."),
    ("github", "create_branch", "Make a new branch in a repository."),
    ("atlassian", "jira_create_issue", "Open an issue in a project of Jira."),
    ("atlassian", "confluence_add_comment", "Comment on a page of Confluence."),
    ("trello", "add_comment", "Comment on a card."),
    ("notion", "create_comment", "Add a comment to a page or block."),
    ("git", "git_create_branch", "Make a new branch here."),
    ("google-maps", "find_place", "Find a place on the map."),
    ("google-calendar", "find_event", "Find an event."),
    ("outlook", "find_event", "Find an event in the calendar."),
];

fn library() -> Library {
    let mut library = Library::default();
    for (server, bare, description) in TOOLS {
        library.insert(document(&format!("mcp_{server}_{bare}"), server, bare, description));
    }
    library
}

fn hits(library: &Library, text: &str, service: &str) -> Vec<String> {
    let query = Query { text, service: Some(service), limit: 3, ..Query::default() };
    library.search(&query, &library.everything()).hits.into_iter().map(|hit| hit.name).collect()
}

#[test]
fn tools_of_the_service_come_before_namesakes_of_others() {
    let mut library = library();
    for embedded in [false, true] {
        if embedded {
            embed(&mut library);
        }
        for (text, service, name) in [
            ("create issue", "jira", "mcp_atlassian_jira_create_issue"),
            ("create_issue", "Jira", "mcp_atlassian_jira_create_issue"),
            ("create issue", "GitHub", "mcp_github_create_issue"),
            ("add comment", "confluence", "mcp_atlassian_confluence_add_comment"),
            ("add comment", "notion", "mcp_notion_create_comment"),
            ("create branch", "git", "mcp_git_git_create_branch"),
            ("find event", "google calendar", "mcp_google-calendar_find_event"),
            ("find event", "the Outlook service", "mcp_outlook_find_event"),
        ] {
            assert_eq!(hits(&library, text, service)[0], name, "{text} @ {service}, {embedded}");
        }
        // A whole name says more than the service does.
        assert_eq!(hits(&library, "mcp_trello_add_comment", "notion")[0], "mcp_trello_add_comment");
        // Nothing of it fits, or nobody is called so.
        assert_eq!(hits(&library, "create issue", "outlook")[0], "mcp_github_create_issue");
        assert_eq!(hits(&library, "add comment", "mcp server")[0], "mcp_trello_add_comment");
    }
}
