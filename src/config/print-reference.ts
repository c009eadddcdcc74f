import type { Option } from './checks.js';
import { PLUGIN_OPTIONS } from './plugin-options.js';
import { SETTINGS } from './settings.js';

const INTRODUCTION = `# Configuration

Export the configuration from \`cms.config.ts\` (or .js, .mjs):

\`\`\`ts
import { defineConfig } from 'galley';

export default defineConfig({
  server: { url: 'https://example.com' },
});
\`\`\`

Every key may be omitted. An unknown key or an invalid value is an error that names the key, the file and the
allowed values. Sources take precedence in this order:

1. a flag of the command
2. an environment variable, which may be in \`.env\`; an empty variable counts as not set
3. the file
4. the default

These variables have no key:

| Variable | Meaning |
| --- | --- |
| \`JWT_SECRET\`, \`API_TOKEN_SALT\` | The secrets. |
| \`NODE_ENV\` | The environment: development, production, test or staging. |
| \`CMS_RATE_LIMIT=off\` | Disables the limit of attempts to sign in. |
`;

type Options = readonly (readonly [path: string, option: Option])[];

const escapeCell = (text: string): string => text.replace(/[|<>]/g, '\\$&');

const printDefault = (value: unknown): string =>
  value === undefined || value === null || value === '' ? '–' : `\`${JSON.stringify(value)}\``;

const printRow = ([path, { check, fallback, description, variable }]: Options[number]): string =>
  [
    `| \`${path}\``,
    printDefault(fallback),
    escapeCell(check.allowed),
    variable === undefined ? '–' : `\`${variable}\``,
    `${escapeCell(description)} |`,
  ].join(' | ');

interface Tree {
  [key: string]: unknown;
}

const insert = (tree: Tree, [key = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  const child = (tree[key] ?? {}) as Tree;
  tree[key] = child;
  insert(child, rest, value);
};

const printObject = (value: unknown, indent: string): string => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const text = JSON.stringify(value);
    return text.replaceAll("'", "\\'").replaceAll('"', "'").replaceAll(',', ', ');
  }
  const lines = Object.entries(value).map(
    ([key, child]) =>
      `${indent}  ${/^[a-z]\w*$/i.test(key) ? key : `'${key}'`}: ${printObject(child, `${indent}  `)},`,
  );
  return ['{', ...lines, `${indent}}`].join('\n');
};

const printExample = (prefix: readonly string[], options: Options): string => {
  const tree: Tree = {};
  for (const [path, { example, fallback }] of options) {
    const value = example ?? fallback;
    if (value !== undefined && value !== null && value !== '')
      insert(tree, [...prefix, ...path.split('.')], value);
  }
  return [
    '```ts',
    "import { defineConfig } from 'galley';",
    '',
    `export default defineConfig(${printObject(tree, '')});`,
    '```',
  ].join('\n');
};

const printSection = (title: string, prefix: readonly string[], options: Options): string =>
  [
    `## ${title}`,
    '',
    '| Key | Default | Allowed | Variable | Meaning |',
    '| --- | --- | --- | --- | --- |',
    ...options.map(printRow),
    '',
    printExample(prefix, options),
    '',
  ].join('\n');

/** Prints docs/configuration.md: every key with its default, the allowed values and an example. */
export function printConfigReference(): string {
  const settings: Options = Object.entries(SETTINGS);
  const sections = [...new Set(settings.map(([path]) => path.split('.')[0] ?? path))];
  const plugins = Object.entries(PLUGIN_OPTIONS);
  return [
    INTRODUCTION,
    ...sections.map((name) =>
      printSection(
        name,
        [],
        settings.filter(([path]) => path === name || path.startsWith(`${name}.`)),
      ),
    ),
    ...plugins.map(([name, options]) =>
      printSection(`plugins: ${name}`, ['plugins', name, 'config'], Object.entries(options)),
    ),
  ].join('\n');
}
