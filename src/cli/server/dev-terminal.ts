/**
 * The folder server supports `cms dev`, `cms start` and `cms routes`. This file prints the events of the
 * development server.
 */
import { graphqlOptionsOf } from '../../api/graphql/graphql-options.js';
import { servesDocs } from '../../config/config.js';
import { hasErrorName } from '../../lib/caught-errors.js';
import { countNoun } from '../../lib/text.js';
import { droppedIn, invalidIn } from '../../migrations/impact/data-impact.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { previousModel } from '../../project/migrate/migrate-project.js';
import { GENERATED, openProject } from '../../project/open/open-project.js';
import type { Project } from '../../project/open/open-project.js';
import type { DevPrompts } from '../../project/serve/rebuild-app.js';
import type { DevEvent } from '../../project/serve/start-dev.js';
import { REFERENCE_PATH } from '../../server/reference/reference-plugin.js';
import { planChanges, printPlan } from '../content/content-files.js';
import { acceptingFlags, printImpact } from '../migrations/print-impact.js';
import { promptRenames } from '../migrations/renames.js';
import { INVALID_QUESTION, LOSS_QUESTION } from '../prompts/confirmation.js';
import { prompt } from '../prompts/prompt.js';
import { translateSystemError } from '../../project/system-errors.js';
import { reportError } from '../terminal/report-error.js';
import { writeText } from '../terminal/terminal.js';
import type { Style, Terminal } from '../terminal/terminal.js';
import { printKeyValues, spellCommands } from '../terminal/text-layout.js';
import { describeChanges } from './describe-changes.js';

/**
 * Asks a question of the development server. The signal aborts it when a newer change makes it obsolete.
 * Ctrl-C or Ctrl-D at the question stops the server.
 */
const confirm = async (terminal: Terminal, message: string, signal: AbortSignal): Promise<boolean> => {
  try {
    return await prompt(terminal, (prompts, screen) => prompts.confirm({ message, default: false }, screen), {
      input: terminal.stdin,
      output: terminal.stderr,
      signal,
    });
  } catch (error) {
    if (hasErrorName(error, 'ExitPromptError')) process.kill(process.pid, 'SIGINT');
    else if (!hasErrorName(error, 'AbortPromptError')) throw error;
    else writeText(terminal.stderr, 'The files have changed, so this question is obsolete.');
    return false;
  }
};

/** Creates the questions that a development server asks on a terminal. */
export function createDevPrompts(root: string, terminal: Terminal): DevPrompts {
  return {
    chooseRenames: async (candidates, signal) => {
      const project = await openProject(root);
      const models = { before: await previousModel(project), after: project.model };
      return promptRenames(
        models,
        candidates,
        async (question) => !signal.aborted && confirm(terminal, question, signal),
      );
    },
    confirmDataLoss: (signal) => confirm(terminal, LOSS_QUESTION, signal),
    confirmInvalid: (signal) => confirm(terminal, INVALID_QUESTION, signal),
  };
}

/** The maximum numbers of types and commands, so that all fits on a screen of 24 lines. */
const MAX_TYPES = 8;
const MAX_COMMANDS = 4;

/** The format of the log. */
const timeOfDay = (): string => new Date().toISOString().slice(11, 19);

const pathOf = (type: ContentType, prefix: string): string =>
  `${prefix}/${type.kind === 'singleType' ? type.singularName : type.pluralName}`;

const graphqlRows = (
  url: string,
  { config }: Project,
  style: Style,
): readonly (readonly [string, string])[] => {
  const options = graphqlOptionsOf(config);
  if (options === null) return [];
  return [
    [
      'GraphQL',
      `${url}${options.endpoint}${options.playground ? style.dim(' (in a browser: the playground)') : ''}`,
    ],
  ];
};

type Serving = Extract<DevEvent, { readonly kind: 'serving' }>;

type KeyValue = readonly [key: string, value: string];

/** Returns rows with one value each, the first one with the key. Counts the rest if there are too many. */
const keyValuesOf = (
  key: string,
  values: readonly string[],
  max: number,
  more: string,
): readonly KeyValue[] => [
  ...values.slice(0, max).map((value, index): KeyValue => [index === 0 ? key : '', value]),
  ...(values.length > max ? [['', `… and ${values.length - max} more: ${more}`] as const] : []),
];

/** Returns the commands that make types readable for everyone, for types without public permissions. */
const openingCommands = (
  types: readonly ContentType[],
  publicActions: readonly string[],
): readonly string[] =>
  types
    .filter(({ uid }) => !publicActions.some((action) => action.startsWith(`${uid}.`)))
    .map(({ kind, singularName }) =>
      ['cms permissions set public', singularName, kind === 'singleType' ? 'find' : 'find findOne'].join(' '),
    );

const projectTypes = ({ types }: ContentModel): readonly ContentType[] =>
  types.filter(({ origin }) => origin === 'project');

const typeRows = (types: readonly ContentType[], prefix: string, style: Style): readonly KeyValue[] =>
  types.length === 0
    ? [['Types', 'none yet; create one with: cms type add']]
    : keyValuesOf(
        'Types',
        types.map((type) => `${type.singularName} ${style.dim(pathOf(type, prefix))}`),
        MAX_TYPES,
        'cms type list',
      );

const migrationRows = ({ migration, seeded }: Serving): readonly KeyValue[] => [
  ...(migration === null ? [] : [['Migration', `${GENERATED.migrations}/${migration}`] as const]),
  ...(seeded === 0 ? [] : [['Seed', `imported ${countNoun(seeded, 'document')} from seed/`] as const]),
];

/**
 * Prints the addresses of the API, its content-types and the next commands. Shown once, when the server
 * starts.
 */
function printWelcome(url: string, serving: Serving, style: Style): string {
  const { project, ms, publicActions } = serving;
  const { prefix } = project.config.api.rest;
  const types = projectTypes(project.model);
  const keyValues = printKeyValues(
    [
      ['API', `${url}${prefix}`],
      ...graphqlRows(url, project, style),
      ...(servesDocs(project.config) ? [['Reference', `${url}${REFERENCE_PATH}`] as const] : []),
      ...typeRows(types, prefix, style),
      ...migrationRows(serving),
      ['Token', 'cms token create --name dev --type full-access'],
      ...keyValuesOf('Make public', openingCommands(types, publicActions), MAX_COMMANDS, 'cms routes'),
    ],
    style,
  );
  const ready = `Serving after ${ms} ms. Changes are applied as you save; Ctrl-C stops.`;
  return `${keyValues}\n${style.green('✔')} ${ready}`;
}

/** Returns a short path that fits the screen: `src/api/article/…/schema.json`. */
const shortPath = (path: string): string =>
  path.replace(/^(src\/api\/[^/]+)\/content-types\/[^/]+\//, '$1/…/');

const printChangedFiles = (changed: readonly string[]): string =>
  changed.length > 2 ? `${changed.length} files` : changed.map(shortPath).join(', ');

/** Prints the migration of a change, which may replace or revert the last one. */
const printMigration = ({ migration, replaced }: Serving): readonly string[] => {
  if (migration !== null)
    return [`${GENERATED.migrations}/${migration}${replaced === null ? '' : ` (replaces ${replaced})`}`];
  return replaced === null ? [] : [`removed ${GENERATED.migrations}/${replaced}`];
};

/** Returns hints for new types without public permissions, since their first request would fail with 403. */
const hintsFor = ({ project, publicActions }: Serving, before: ContentModel): readonly string[] => {
  const known = new Set(before.types.map(({ uid }) => uid));
  const added = projectTypes(project.model).filter(({ uid }) => !known.has(uid));
  return openingCommands(added, publicActions).map((command) => `Make it public: ${command}`);
};

const printServing = (serving: Serving, before: ContentModel, style: Style): string => {
  const { ms, changed, seeded, project, renames } = serving;
  const details = [
    ...describeChanges({ before, after: project.model, renames }, style),
    ...printMigration(serving),
    ...(seeded === 0 ? [] : [`imported ${countNoun(seeded, 'document')} from seed/`]),
    ...hintsFor(serving, before),
  ];
  return [
    `${style.dim(timeOfDay())} ${style.green('✔')} New API after ${ms} ms (${printChangedFiles(changed)})`,
    ...details.map((line) => `  ${line}`),
  ].join('\n');
};

const printContent = ({ plan }: Extract<DevEvent, { readonly kind: 'content' }>, style: Style): string =>
  [
    `${style.dim(timeOfDay())} ${style.green('✔')} Content:`,
    ...printPlan(plan, planChanges(plan, false))
      .split('\n')
      .map((line) => `  ${line}`),
  ].join('\n');

const servingText = (before: ContentModel | null): string =>
  before === null ? 'nothing is served yet' : 'the previous API is still served';

const printHeld = (
  { plan: { impact } }: Extract<DevEvent, { readonly kind: 'held' }>,
  servedModel: ContentModel | null,
  style: Style,
): string => {
  const reasons = [
    ...(droppedIn(impact).length > 0 ? ['lose data'] : []),
    ...(invalidIn(impact).length > 0 ? ['leave values that do not fit'] : []),
  ];
  return [
    `${style.yellow('Held:')} this would ${reasons.join(' and ')}, so ${servingText(servedModel)}.`,
    printImpact(impact, style),
    'To keep the values of something that was renamed, run: cms migrate --rename OLD=NEW',
    `To proceed, run: cms migrate ${acceptingFlags(impact).join(' ')}`,
  ].join('\n');
};

/** Reports the events of a development server on stderr. */
export interface DevReporter {
  readonly report: (event: DevEvent) => void;
  /** Sets the server's address. The report of the first build waits for it. */
  readonly listening: (url: string) => void;
}

/** Creates a reporter that prints the addresses once, and then one or more lines per event. */
export function createDevReporter(terminal: Terminal, style: Style): DevReporter {
  let url: string | null = null;
  let pendingEvent: Serving | null = null;
  let servedModel: ContentModel | null = null;
  const print = (text: string): void => writeText(terminal.stderr, spellCommands(text, terminal));

  const reportServing = (event: Serving, address: string): void => {
    print(
      servedModel === null ? printWelcome(address, event, style) : printServing(event, servedModel, style),
    );
    for (const { file, line, message } of event.project.warnings)
      print(`${style.yellow('Warning:')} ${file}:${line} ${message}`);
    servedModel = event.project.model;
  };

  return {
    report: (event) => {
      if (event.kind === 'content') print(printContent(event, style));
      else if (event.kind === 'held') print(printHeld(event, servedModel, style));
      else if (event.kind === 'failed' || event.kind === 'content-failed') {
        reportError(translateSystemError(event.error, terminal.cwd), terminal, {
          json: false,
          color: style.bold('') !== '',
        });
        if (event.kind === 'content-failed')
          print('The content is unchanged. Correct the file and save it again.');
        else
          print(
            servedModel === null
              ? 'Nothing is served until you fix this.'
              : 'The previous API is still served.',
          );
      } else if (url === null) pendingEvent = event;
      else reportServing(event, url);
    },
    listening: (address) => {
      url = address;
      if (pendingEvent !== null) reportServing(pendingEvent, address);
    },
  };
}
