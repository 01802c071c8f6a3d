// Does, one command each, what extensions may do and the protocol does not announce; says things no version says yet.
import { writeSync } from "node:fs";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const say = (record: object) => writeSync(1, `${JSON.stringify(record)}\n`);

export default function (pi: ExtensionAPI) {
	pi.registerCommand("probe-select", {
		description: "Asks which one",
		handler: async (_args, ctx) => {
			ctx.ui.notify(`Chosen: ${await ctx.ui.select("Which [one]?", ["first", "second", "third"])}`, "info");
		},
	});
	pi.registerCommand("probe-confirm", {
		description: "Asks whether",
		handler: async (_args, ctx) => {
			ctx.ui.notify(`Confirmed: ${await ctx.ui.confirm("Really?", "There is no way back.")}`, "warning");
		},
	});
	pi.registerCommand("probe-timeout", {
		description: "Asks for a moment only",
		handler: async (_args, ctx) => {
			ctx.ui.notify(`Given up: ${await ctx.ui.confirm("Quick?", "", { timeout: 2000 })}`, "info");
		},
	});
	pi.registerCommand("probe-input", {
		description: "Asks for a word",
		handler: async (_args, ctx) => {
			ctx.ui.notify(`Word: ${await ctx.ui.input("A word?", "any word")}`, "info");
		},
	});
	pi.registerCommand("probe-editor", {
		description: "Asks for a text",
		handler: async (_args, ctx) => {
			const text = await ctx.ui.editor("A text?", "one\ntwo");
			ctx.ui.notify(`Lines: ${text?.split("\n").join("|")}`, "info");
		},
	});
	pi.registerCommand("probe-look", {
		description: "Status, panels and title",
		handler: async (_args, ctx) => {
			ctx.ui.setStatus("probe", "\u001b[31mred\u001b[0m status");
			ctx.ui.setWidget("probe-above", ["a panel above"]);
			ctx.ui.setWidget("probe-below", ["a panel below"], { placement: "belowEditor" });
			ctx.ui.setTitle("probe title");
		},
	});
	pi.registerCommand("probe-clear", {
		description: "Clears status and panels",
		handler: async (_args, ctx) => {
			ctx.ui.setStatus("probe", undefined);
			ctx.ui.setWidget("probe-above", undefined);
			ctx.ui.setWidget("probe-below", undefined);
		},
	});
	pi.registerCommand("probe-draft", {
		description: "Writes the draft",
		handler: async (_args, ctx) => ctx.ui.setEditorText("written by the probe"),
	});
	pi.registerCommand("probe-unknown", {
		description: "A question and an event of a later version",
		handler: async () => {
			say({ type: "extension_ui_request", id: "hologram-1", method: "hologram", title: "Where?", options: ["here"] });
			say({ type: "moon_phase_changed", phase: "full" });
			say({ type: "response", id: "nobody", command: "dance", success: false, error: "No dancing here" });
		},
	});
	pi.registerCommand("probe-fail", {
		description: "Fails",
		handler: async () => {
			throw new Error("the [probe] failed");
		},
	});
	pi.registerCommand("probe-session", {
		description: "Name, thinking level and an entry",
		handler: async () => {
			pi.setSessionName("named by the probe");
			pi.setThinkingLevel("low");
			pi.appendEntry("probe-entry", { count: 1 });
		},
	});
	pi.registerCommand("probe-model", {
		description: "Another model",
		handler: async (_args, ctx) => {
			await pi.setModel(ctx.modelRegistry.find("mock", "mock-plain")!);
		},
	});
	pi.registerCommand("probe-new", {
		description: "A new session",
		handler: async (_args, ctx) => {
			await ctx.newSession();
		},
	});
	pi.registerCommand("probe-switch", {
		description: "Another session",
		handler: async (args, ctx) => {
			await ctx.switchSession(args.trim());
		},
	});
}
