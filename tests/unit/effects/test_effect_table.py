"""Tools as servers have them, and some that lie: nothing that acts may count as one that only reads."""

import pytest

from misstep.core.tool import JSON, Tool
from misstep.effects.guessing import effect_of

Row = tuple[str, str, str]
"""A name, what its server says of it, and its arguments."""

READS: tuple[Row, ...] = (
    ("git_status", "Shows the working tree status", "repo_path"),
    ("git_diff_unstaged", "Shows changes in the working directory that are not yet staged", "repo_path"),
    ("git_diff_staged", "Shows changes that are staged for commit", "repo_path"),
    ("git_diff", "Shows differences between branches or commits", "repo_path target"),
    ("git_log", "Shows the commit logs", "repo_path max_count"),
    ("git_show", "Shows the contents of a commit", "repo_path revision"),
    ("read_graph", "Read the entire knowledge graph", ""),
    ("search_nodes", "Search for nodes in the knowledge graph based on a query", "query"),
    ("open_nodes", "Open specific nodes in the knowledge graph by their names", "names"),
    ("read_file", "Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead.", "path"),
    (
        "read_text_file",
        "Read the complete contents of a file from the file system as text. Handles various text encodings and "
        "provides detailed error messages if the file cannot be read. Use this tool when you need to examine the "
        "contents of a single file. Use the 'head' parameter to read only the first N lines of a file. Operates on "
        "the file as text regardless of extension. Only works within allowed directories.",
        "path head tail",
    ),
    ("read_multiple_files", "Read the contents of multiple files simultaneously.", "paths"),
    (
        "list_directory",
        "Get a detailed listing of all files and directories in a specified path. Results clearly distinguish between "
        "files and directories with [FILE] and [DIR] prefixes.",
        "path",
    ),
    (
        "directory_tree",
        "Get a recursive tree view of files and directories as a JSON structure. Each entry includes 'name', 'type' "
        "(file/directory), and 'children' for directories. Files have no children array.",
        "path",
    ),
    (
        "search_files",
        "Recursively search for files and directories matching a pattern. The patterns should be glob-style patterns "
        "that match paths relative to the working directory. Returns full paths to all matching items.",
        "path pattern",
    ),
    (
        "get_file_info",
        "Retrieve detailed metadata about a file or directory. Returns comprehensive information including size, "
        "creation time, last modified time, permissions, and type.",
        "path",
    ),
    (
        "list_allowed_directories",
        "Returns the list of directories that this server is allowed to access. Use this to understand which "
        "directories and their nested paths are available before trying to access files.",
        "",
    ),
    ("get_current_time", "Get current time in a specific timezone", "timezone"),
    ("convert_time", "Convert time between timezones", "source_timezone time target_timezone"),
    ("echo", "Echoes back the input string", "message"),
    ("get-sum", "Returns the sum of two numbers", "a b"),
    ("get-env", "Returns all environment variables, helpful for debugging MCP server configuration", ""),
    ("get-tiny-image", "Returns a tiny MCP logo image.", ""),
    ("get_issue", "Get details of a specific issue in a repository.", "owner repo issue_number"),
    ("list_commits", "Get list of commits of a branch in a repository", "owner repo sha"),
    ("search_code", "Search for code across repositories", "q"),
    ("get_pull_request_files", "Get the list of files changed in a pull request", "owner repo pull_number"),
    ("list_issues", "List issues in a repository with filtering options", "owner repo"),
    ("slack_list_channels", "List public channels in the workspace with pagination", "limit cursor"),
    ("slack_get_thread_replies", "Get all replies in a message thread", "channel_id thread_ts"),
    ("slack_get_users", "Get a list of all users in the workspace with their basic profile information", "limit"),
    ("list_tables", "List all tables in the database", ""),
    ("describe_table", "View schema information for a specific table", "table_name"),
    ("show_order", "", "order_id"),
    ("findCustomers", "Find customers by name. Several customers can have the same name.", "name"),
    ("list_entries", "List the entries of the vault, without their secrets.", ""),
)

ACTS: tuple[Row, ...] = (
    # git, memory, filesystem, everything
    ("git_commit", "Records changes to the repository", "repo_path message"),
    ("git_add", "Adds file contents to the staging area", "repo_path files"),
    ("git_reset", "Unstages all staged changes", "repo_path"),
    ("git_create_branch", "Creates a new branch from an optional base branch", "repo_path branch_name"),
    ("git_checkout", "Switches branches", "repo_path branch_name"),
    ("git_init", "Initialize a new Git repository", "repo_path"),
    ("git_stash", "Saves local changes away", "repo_path"),
    ("git_push", "Pushes commits to a remote", "repo_path remote"),
    ("git_clean", "Lists and removes untracked files", "repo_path"),
    ("create_entities", "Create multiple new entities in the knowledge graph", "entities"),
    ("add_observations", "Add new observations to existing entities in the knowledge graph", "observations"),
    ("delete_relations", "Delete multiple relations from the knowledge graph", "relations"),
    ("write_file", "Create a new file or completely overwrite an existing file with new content.", "path content"),
    ("edit_file", "Make line-based edits to a text file. Returns a git-style diff showing the changes made.", "path"),
    ("move_file", "Move or rename files and directories.", "source destination"),
    ("create_directory", "Create a new directory or ensure a directory exists.", "path"),
    ("toggle-simulated-logging", "Toggles simulated, random-leveled logging on or off.", ""),
    ("trigger-long-running-operation", "Demonstrates a long running operation with progress updates.", "duration"),
    ("gzip-file-as-resource", "Compresses a single file using gzip compression.", "name data outputType"),
    # What reads, but reaches outside
    ("fetch", "Fetches a URL from the internet and optionally extracts its contents as markdown.", "url max_length"),
    ("brave_web_search", "Performs a web search using the Brave Search API.", "query count"),
    ("search", "Search the web for anything.", "query"),
    ("get_page", "Get the text of a page on the internet.", "title"),
    # github, slack, postgres, browsers
    ("create_or_update_file", "Create or update a single file in a repository", "owner repo path content"),
    ("push_files", "Push multiple files to a repository in a single commit", "owner repo branch files"),
    ("create_issue", "Create a new issue in a repository", "owner repo title"),
    ("merge_pull_request", "Merge a pull request", "owner repo pull_number"),
    ("fork_repository", "Fork a repository to your account or specified organization", "owner repo"),
    ("request_copilot_review", "Request a review for a pull request", "owner repo pull_number"),
    ("assign_copilot_to_issue", "Assign somebody to a specific issue", "owner repo issue_number"),
    ("mark_all_notifications_read", "Mark all notifications as read", "lastReadAt"),
    ("dismiss_notification", "Dismiss a notification by marking it as read or done", "threadID state"),
    ("rerun_failed_jobs", "Re-run only the failed jobs in a workflow run", "owner repo run_id"),
    ("slack_post_message", "Post a new message to a Slack channel", "channel_id text"),
    ("slack_add_reaction", "Add a reaction emoji to a message", "channel_id timestamp reaction"),
    ("query", "Run a read-only SQL query", "sql"),
    ("query", "Execute a SELECT query on the database", "query"),
    ("read_query", "Runs whatever it is given on the database", "query"),
    ("puppeteer_navigate", "Navigate to a URL", "url"),
    ("puppeteer_click", "Click an element on the page", "selector"),
    ("puppeteer_evaluate", "Execute JavaScript in the browser console", "script"),
    ("browser_fill_form", "Fill multiple form fields", "fields"),
    ("browser_snapshot", "Capture accessibility snapshot of the current page", ""),
    ("browser_press_key", "Press a key on the keyboard", "key"),
    ("run_terminal_cmd", "Run a command.", "command"),
    ("search_replace", "Find text and put other text in its place.", "file old new"),
    # Noun first, or a verb that nobody knows
    ("bump_version", "Returns the new version.", ""),
    ("toggle_status", "Returns the new status.", "id"),
    ("rotate_log", "Shows the rotated log.", ""),
    ("rebuild_search_index", "", ""),
    ("issue_close", "Returns the issue.", "issue_id"),
    ("status_push", "Shows the status.", "text"),
    ("zap_status", "", ""),
    ("restart_server", "", "name"),
    ("snooze", "Returns when it rings again.", "minutes"),
    ("open_account", "Open an account.", "name"),
    ("check_out_guest", "Check out a guest.", "room"),
    # Liars: the name says one thing, and what is said of it another
    ("nuke_everything", "Reads.", ""),
    ("get_thing", "Get a thing. Then deletes it.", "id"),
    ("show", "Executes a command on the host.", "what"),
    ("get_report", "Sends a report by mail to everybody.", "name"),
    ("search", "Search and replace", "text"),
    ("count_down_and_launch", "", ""),
    ("count_down_and_launch", "Counts down.", ""),
    ("get_thing", "Gets a thing, deletes it.", "id"),
    ("get_thing", "Get a thing; the thing is deleted afterwards.", "id"),
    ("get_thing", "Get a thing (and wipes the disk).", "id"),
    ("get_thing", "Get a thing after deleting all the others.", "id"),
    ("get_thing", "Get a thing. Frobnicates the host.", "id"),
    ("get_thing", "Löscht alle Dateien.", "id"),
    ("get_thing", "删除所有文件", "id"),
    ("get_thing", "Does it.", "id"),
    ("get_thing", "Get a thing.\n\nNote: all records will be purged.", "id"),
    ("get_thing", "Get a thing - sends the result to the vendor.", "id"),
    ("get_thing", "Get a thing by running a shell command.", "id"),
    ("list_tickets", "Lists tickets and closes them.", ""),
    ("list_tickets", "Finds tickets and closes old ones.", ""),
    ("list_tickets", "Lists tickets. It also closes each of them.", ""),
    ("list_tickets", "Lists tickets, which closes them.", ""),
    ("list_tickets", "List tickets. You should know that calling this charges the card.", ""),
    ("view_invoice", "View an invoice and pay it.", "id"),
    ("fetch_mail", "Fetches mail and marks it as read.", ""),
    ("get_and_increment", "Returns the counter.", ""),
    ("read_then_zap", "Reads a note.", "id"),
    ("lookup", "Look up a customer.", "name shell_command"),
    ("get_rows", "Get rows.", "sql"),
    ("read_page", "Read a page.", "page_url"),
    ("verify_email", "Verify an email by mailing a code.", "address"),
    ("get_rid_of_user", "Get rid of a user.", "id"),
    ("display_message", "Display a message on the billboard.", "text"),
    ("list_item", "List an item for sale.", "item"),
    ("get_next", "Get the next message and acknowledge it.", ""),
    ("get_token", "Get a token. Invalidates all earlier tokens.", ""),
    ("check_health", "Check health by restarting the service.", ""),
    ("get_x", "* Get x\n* Delete y", ""),
    ("info", "Wipe the disk and show what is left.", ""),
)

_MISSED = 2
"""How many of those that only read are taken for graver; that is safe, and not too many."""


def tool(row: Row) -> Tool:
    name, description, arguments = row
    properties: dict[str, JSON] = {argument: {"type": "string"} for argument in arguments.split()}
    return Tool(name, description, {"type": "object", "properties": properties})


@pytest.mark.parametrize("row", ACTS, ids=lambda row: f"{row[0]}: {row[1][:30]}")
@pytest.mark.parametrize("hints", [{}, {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False}])
def test_nothing_that_acts_or_reaches_outside_counts_as_one_that_reads(row: Row, hints: dict[str, JSON]) -> None:
    assert effect_of(tool(row), hints)[0] != "reads"


def test_most_of_what_only_reads_is_known_to() -> None:
    missed = [row[0] for row in READS if effect_of(tool(row), {})[0] != "reads"]
    assert len(missed) <= _MISSED, missed


@pytest.mark.parametrize("name", ["git_log", "git_diff", "git_status", "open_nodes", "search_nodes", "read_graph"])
def test_what_everybody_has_is_known_to_read(name: str) -> None:
    row = next(row for row in READS if row[0] == name)
    assert effect_of(tool(row), {})[0] == "reads"


@pytest.mark.parametrize("row", READS, ids=lambda row: row[0])
def test_a_description_that_adds_an_act_is_never_outdone_by_the_name(row: Row) -> None:
    lying = (row[0], f"{row[1]} Then it wipes the disk.", row[2])
    assert effect_of(tool(lying), {})[0] != "reads"
