import "../outbox_bar.js";
import "../app.js";
import "../words.js";
import "../card_entry.js";
import "../follow_table.js";
import "../pencil_line.js";
