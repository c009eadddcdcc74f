import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../cli/support/package-root.js';

/** A fenced code block of a page. */
export interface CodeBlock {
  readonly language: string;
  /** Attributes after the language: `file=src/index.ts exit=3` → `{ file: 'src/index.ts', exit: '3' }`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly code: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
}

/** A page of the documentation with what its test has to know. */
export interface Page {
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
  /** From `<!-- docs-check: blog -->`: the page's blocks run in a served project of that template. */
  readonly template: string | null;
  /** From `<!-- docs-check: blog production -->`: nothing serves the project, whose database is empty. */
  readonly isProduction: boolean;
}

const FENCE = /^```(\S*)\s*(.*)$/;
const ATTRIBUTE = /(\w+)=(?:"([^"]*)"|(\S+))/g;
const TEMPLATE = /^<!-- docs-check: (\w+)( production)? -->$/m;

const parseAttributes = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']),
  );

/**
 * The fenced code blocks of a Markdown page, in their order.
 *
 * @throws An error where a fence is not closed.
 */
export function parsePage(path: string, markdown: string): Page {
  const blocks: CodeBlock[] = [];
  let open: (Omit<CodeBlock, 'code'> & { readonly lines: string[] }) | null = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open === null) {
      const [, language, info] = FENCE.exec(line) ?? [];
      if (language === undefined) continue;
      open = { language, attributes: parseAttributes(info ?? ''), line: index + 1, lines: [] };
    } else if (line === '```') {
      const { lines, ...block } = open;
      blocks.push({ ...block, code: `${lines.join('\n')}\n` });
      open = null;
    } else open.lines.push(line);
  }
  if (open !== null) throw new Error(`${path}:${open.line}: the code block is not closed`);
  const [, template = null, production] = TEMPLATE.exec(markdown) ?? [];
  return { path, blocks, template, isProduction: production !== undefined };
}

/** Its blocks are the commands' examples, which test/cli/examples.long.test.ts runs. */
const COMMAND_REFERENCE = 'command-line.md';

/** Returns the paths of the pages of a folder, without the reference of the commands. */
export function pagesIn(folder: string): readonly string[] {
  return readdirSync(join(packageRoot, folder))
    .filter((name) => name.endsWith('.md') && name !== COMMAND_REFERENCE)
    .map((name) => `${folder}/${name}`);
}

/** Reads and parses a page of the repository. */
export function readPage(path: string): Page {
  return parsePage(path, readFileSync(join(packageRoot, path), 'utf8'));
}
