import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyEdits, modify, parseTree } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';
import { createError } from '../../errors/catalogue.js';
import { PACKAGE_ROOT } from '../package-manifest.js';
import { loadText } from '../write-text.js';
import { createWorkspace } from './workspace.js';
import type { FileChange } from './workspace.js';

/** The name under which agents list the server. */
const SERVER = 'galley';

const SKILL_NAME = 'galley';
const SKILL_DESCRIPTION =
  'How to work on this Galley project: content, content-types, commands, and what never to do.';

/** The files of one agent, relative to the project. */
interface AgentFiles {
  readonly name: string;
  /** The configuration file, and the key of its list of servers. */
  readonly config: { readonly path: string; readonly form: 'json' | 'toml'; readonly key: string };
  readonly skill: string;
  /** The lines before the text of the skill file. */
  readonly header: string;
}

const SKILL_HEADER = `---\nname: ${SKILL_NAME}\ndescription: ${SKILL_DESCRIPTION}\n---\n\n`;

export const AGENTS = {
  claude: {
    name: 'Claude Code',
    config: { path: '.mcp.json', form: 'json', key: 'mcpServers' },
    skill: `.claude/skills/${SKILL_NAME}/SKILL.md`,
    header: SKILL_HEADER,
  },
  cursor: {
    name: 'Cursor',
    config: { path: '.cursor/mcp.json', form: 'json', key: 'mcpServers' },
    skill: `.cursor/rules/${SKILL_NAME}.mdc`,
    header: `---\ndescription: ${SKILL_DESCRIPTION}\nalwaysApply: true\n---\n\n`,
  },
  vscode: {
    name: 'VS Code',
    config: { path: '.vscode/mcp.json', form: 'json', key: 'servers' },
    skill: `.github/instructions/${SKILL_NAME}.instructions.md`,
    header: `---\napplyTo: '**'\ndescription: ${SKILL_DESCRIPTION}\n---\n\n`,
  },
  codex: {
    name: 'Codex',
    config: { path: '.codex/config.toml', form: 'toml', key: 'mcp_servers' },
    skill: `.agents/skills/${SKILL_NAME}/SKILL.md`,
    header: SKILL_HEADER,
  },
  gemini: {
    name: 'Gemini CLI',
    config: { path: '.gemini/settings.json', form: 'json', key: 'mcpServers' },
    skill: `.gemini/skills/${SKILL_NAME}/SKILL.md`,
    header: SKILL_HEADER,
  },
} as const satisfies Readonly<Record<string, AgentFiles>>;

export type AgentName = keyof typeof AGENTS;

/** The changes that install the server for an agent. */
export interface AgentInstallation {
  readonly changes: readonly FileChange[];
  /** The files that exist already and stay as they are. */
  readonly kept: readonly string[];
}

const INDENT = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/** Adds the server to a JSON file, which may have comments. Null: the file lists it already. */
const addToJson = (
  path: string,
  before: string | null,
  key: string,
  args: readonly string[],
): string | null => {
  const text = before === null || before.trim() === '' ? '{}\n' : before;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root?.type !== 'object' || errors.length > 0)
    throw createError('scaffold/unreadable-agent-file', { path });
  const has = root.children?.some(({ children = [] }) => {
    const [name, value] = children;
    return name?.value === key && value?.children?.some((each) => each.children?.[0]?.value === SERVER);
  });
  if (has === true) return null;
  return applyEdits(text, modify(text, [key, SERVER], { command: 'npx', args: [...args] }, INDENT));
};

/** Appends the server to a TOML file. Null: the file lists it already. */
const addToToml = (before: string | null, key: string, args: readonly string[]): string | null => {
  const text = before ?? '';
  if (new RegExp(`^\\s*\\[\\s*${key}\\s*\\.\\s*["']?${SERVER}["']?\\s*[\\].]`, 'm').test(text)) return null;
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${gap}[${key}.${SERVER}]\ncommand = "npx"\nargs = ${JSON.stringify(args)}\n`;
};

/**
 * Plans the files that connect an agent to the project: its configuration, and a skill file about work on the
 * project. Entries and files that exist already are kept.
 *
 * @param options the options of `cms mcp`
 * @throws `scaffold/unreadable-agent-file`
 */
export async function planAgentFiles(
  root: string,
  agent: AgentName,
  options: readonly string[],
): Promise<AgentInstallation> {
  const { config, skill, header }: AgentFiles = AGENTS[agent];
  const args = ['cms', 'mcp', ...options];
  const before = await loadText(join(root, config.path));
  const configured =
    config.form === 'json'
      ? addToJson(config.path, before, config.key, args)
      : addToToml(before, config.key, args);
  const workspace = createWorkspace(root);
  const kept: string[] = [];
  if (configured === null) kept.push(config.path);
  else await workspace.write(config.path, configured);
  if ((await workspace.read(skill)) !== null) kept.push(skill);
  else {
    const text = await readFile(join(PACKAGE_ROOT, 'templates/agents/skill.md'), 'utf8');
    await workspace.write(skill, header + text);
  }
  return { changes: workspace.changes(), kept };
}
