import type { CodeBlock, Page } from './code-blocks.js';

const SHELL = new Set(['sh', 'bash']);
const MODULES = new Set(['ts', 'js']);
const LANGUAGES = new Set([
  ...SHELL,
  ...MODULES,
  'json',
  'yaml',
  'text',
  'graphql',
  'dockerfile',
  'nginx',
  '',
]);

/** An address of a PostgreSQL database in a page. */
const DATABASE = /postgresql:\/\/[^@\s]+@localhost:5432\/\w+/g;

/** What a script prints before each block, so that a failure names its line. */
const MARKER = '::docs-check line ';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const writeFile = (file: string, code: string): string =>
  [
    `mkdir -p "$(dirname ${quote(file)})"`,
    `cat > ${quote(file)} <<'DOCS_CHECK_END'`,
    `${code}DOCS_CHECK_END`,
  ].join('\n');

const expectExit = (code: string, exit: string): string => {
  const message = `exit code $DOCS_CHECK_STATUS instead of ${Number(exit)}`;
  return [
    'set +e',
    `( set -eo pipefail`,
    `${code})`,
    'DOCS_CHECK_STATUS=$?',
    'set -e',
    `[ "$DOCS_CHECK_STATUS" -eq ${Number(exit)} ] || { echo "${message}" >&2; exit 1; }`,
  ].join('\n');
};

/**
 * Runs a block in the background until its output holds the text, and ends all of it once the server whose
 * address stands there answers.
 */
const serveUntil = (code: string, text: string): string =>
  [
    'DOCS_CHECK_OUTPUT=$(mktemp)',
    'set -m',
    `( set -eo pipefail`,
    `${code}) > "$DOCS_CHECK_OUTPUT" 2>&1 &`,
    'set +m',
    'DOCS_CHECK_SERVER=$!',
    `trap 'kill -- -$DOCS_CHECK_SERVER' EXIT`,
    `until grep -qF ${quote(text)} "$DOCS_CHECK_OUTPUT"; do`,
    '  kill -0 $DOCS_CHECK_SERVER || { cat "$DOCS_CHECK_OUTPUT" >&2; exit 1; }',
    '  sleep 0.1',
    'done',
    `DOCS_CHECK_URL=$(grep -oE 'http://[^/ ]+:[0-9]+' "$DOCS_CHECK_OUTPUT" | head -n 1)`,
    'curl -sSf "$DOCS_CHECK_URL/_health"',
    'trap - EXIT',
    'kill -- -$DOCS_CHECK_SERVER',
    'wait $DOCS_CHECK_SERVER || true',
  ].join('\n');

/** The file that a block without a name of its own is type-checked in. */
const fileOf = ({ language, attributes, line }: CodeBlock): string | undefined =>
  attributes['file'] ?? (MODULES.has(language) ? `src/docs-check-${line}.${language}` : undefined);

const isSkipped = ({ attributes }: CodeBlock): boolean => attributes['skip'] !== undefined;

const shellScriptOf = ({ code, attributes }: CodeBlock): string => {
  const { exit, serves, in: folder } = attributes;
  const located = folder === undefined ? code : `( cd "$DOCS_CHECK_${folder.toUpperCase()}"\n${code})\n`;
  if (serves !== undefined) return serveUntil(located, serves);
  return exit === undefined ? located : expectExit(located, exit);
};

const scriptOf = (block: CodeBlock): string => {
  const { language, attributes, code } = block;
  if (isSkipped(block)) return `echo "skipped: ${attributes['skip']}" >&2`;
  if (SHELL.has(language)) return shellScriptOf(block);
  const file = fileOf(block);
  if (file !== undefined) return writeFile(file, code);
  if (language === 'json') JSON.parse(code);
  return ':';
};

/** The addresses of the PostgreSQL databases that the page's reader has. */
export function databasesOf({ blocks }: Page): readonly string[] {
  return [...new Set(blocks.flatMap(({ code }) => code.match(DATABASE) ?? []))];
}

/** True for code of `src/`. Commands of the page use other files: its configuration, and its scripts. */
const isModule = (block: CodeBlock): boolean =>
  MODULES.has(block.language) && !isSkipped(block) && fileOf(block)?.startsWith('src/') === true;

/**
 * The page with only its modules, or without them. A page has modules where its project is to be
 * type-checked.
 */
export function splitModules(page: Page): { readonly modules: Page; readonly rest: Page } {
  return {
    modules: { ...page, blocks: page.blocks.filter(isModule) },
    rest: { ...page, blocks: page.blocks.filter((block) => !isModule(block)) },
  };
}

/** What stands for the addresses in a page. */
interface PageAddresses {
  /** Instead of 1337. */
  readonly port: number;
  /** The URLs of empty PostgreSQL databases by the addresses in the page. */
  readonly databases?: ReadonlyMap<string, string>;
}

/**
 * One shell script that does what a reader of the page would: runs its commands, and writes its files, in
 * their order.
 *
 * @throws An error where a block is of no known language, or is no JSON.
 */
export function printPageScript(page: Page, { port, databases }: PageAddresses): string {
  const unknown = page.blocks.find(({ language }) => !LANGUAGES.has(language));
  if (unknown !== undefined)
    throw new Error(`${page.path}:${unknown.line}: no test knows what to do with ${unknown.language}`);
  return [
    'set -eo pipefail',
    ...page.blocks.map((block) => `echo '${MARKER}${block.line}' >&2\n${scriptOf(block)}`),
  ]
    .join('\n')
    .replaceAll('localhost:1337', `127.0.0.1:${port}`)
    .replaceAll(DATABASE, (url) => databases?.get(url) ?? url);
}
