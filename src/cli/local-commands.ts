const FILES = 'It edits files of the project, which a server gets by deployment.';
const MIGRATIONS = 'It needs the migration files of the release. Run it on the machine of the server.';
const DATABASE = 'It opens the database without a server. Run it on the machine of the server.';
const PROJECT = 'It prints definitions from the files and the code of this project.';
const SERVER = 'It starts the server of this project.';
const AGENTS = 'It connects agents on this machine. Agents connect to a server at its endpoint /mcp.';
const SHELL = 'It completes command lines of this project.';

/** The reasons why commands have no `--remote`, by the words of a command or of its first words. */
export const LOCAL_COMMANDS: Readonly<Record<string, string>> = {
  agents: AGENTS,
  backup:
    'It copies the database and the uploaded files of the machine that it runs on. ' +
    'To fetch the content of a server, run cms export --remote.',
  complete: SHELL,
  completion: SHELL,
  component: FILES,
  console: DATABASE,
  dev: SERVER,
  field: FILES,
  generate: PROJECT,
  'graphql schema': PROJECT,
  mcp: AGENTS,
  migrate: MIGRATIONS,
  new: 'It creates a project.',
  openapi: PROJECT,
  remote: 'It manages the list of remote servers in this project.',
  restore: 'It replaces the database below a server. Run it on the machine of the server.',
  routes: PROJECT,
  run: DATABASE,
  sql: DATABASE,
  start: SERVER,
  transfer: 'Its flags --from and --to name remote servers.',
  type: FILES,
};

/** Returns the reason why a command has no `--remote`: that of its words, or of its first words. */
export function localReason(words: readonly string[]): string | undefined {
  for (let count = words.length; count > 0; count -= 1) {
    const reason = LOCAL_COMMANDS[words.slice(0, count).join(' ')];
    if (reason !== undefined) return reason;
  }
  return undefined;
}
