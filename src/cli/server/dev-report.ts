import type { Project } from '../../app/open-project.js';
import type { DevEvent } from '../../app/start-dev.js';
import { graphqlOptionsOf } from '../../graphql/graphql-options.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { accountOf, acceptingFlags, droppedIn, misfitsIn, printAccount } from '../migrations/account.js';
import { reportError } from '../terminal/report-error.js';
import { spellCommands } from '../terminal/spell-commands.js';
import type { Style } from '../terminal/style.js';
import { printKeyValues } from '../terminal/table.js';
import { writeText } from '../terminal/terminal.js';
import type { Terminal } from '../terminal/terminal.js';

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

/**
 * Prints the addresses of the API, its content-types and the next commands. Shown once, when the server
 * starts.
 */
function printWelcome(url: string, { project, ms }: Pick<Serving, 'project' | 'ms'>, style: Style): string {
  const { prefix } = project.config.api.rest;
  const types = project.model.types.filter(({ origin }) => origin === 'project');
  const keyValues = printKeyValues(
    [
      ['API', `${url}${prefix}`],
      ...graphqlRows(url, project, style),
      ...types.map(
        (type, index) =>
          [index === 0 ? 'Types' : '', `${type.singularName} ${style.dim(pathOf(type, prefix))}`] as const,
      ),
      ...(types.length === 0 ? [['Types', 'none yet; create one with: cms type add'] as const] : []),
      ['Token', 'cms token create --name dev --type full-access'],
      ['Permissions', 'cms permissions set public <type> find findOne'],
    ],
    style,
  );
  const ready = `Serving after ${ms} ms. Saved changes are applied at once; Ctrl-C stops the server.`;
  return `${keyValues}\n${style.green('✔')} ${ready}`;
}

const printChangedFiles = (changed: readonly string[]): string =>
  changed.length > 2 ? `${changed.length} files` : changed.join(', ');

/** A change may be part of the last migration, and may take it back as a whole. */
const printMigration = ({ migration, replaced }: Serving): readonly string[] => {
  if (migration !== null)
    return [`  prisma/migrations/${migration}${replaced === null ? '' : ` (in place of ${replaced})`}`];
  return replaced === null ? [] : [`  removed prisma/migrations/${replaced}`];
};

const printServing = (serving: Serving, style: Style): string => {
  const { ms, changed, seeded } = serving;
  return [
    `${style.green('✔')} New API after ${ms} ms (${printChangedFiles(changed)})`,
    ...printMigration(serving),
    ...(seeded === 0 ? [] : [`  imported ${seeded} documents from seed/`]),
  ].join('\n');
};

const servingText = (before: ContentModel | null): string =>
  before === null ? 'nothing is served yet' : 'the previous API stays';

const printHeld = (
  { preview, before }: Extract<DevEvent, { readonly kind: 'held' }>,
  servedModel: ContentModel | null,
  style: Style,
): string => {
  const account = accountOf(before, preview);
  const reasons = [
    ...(droppedIn(account).length > 0 ? ['lose data'] : []),
    ...(misfitsIn(account).length > 0 ? ['leave values that do not fit'] : []),
  ];
  return [
    `${style.yellow('Held:')} this would ${reasons.join(' and ')}, so ${servingText(servedModel)}.`,
    printAccount(account, style),
    `To go ahead, run: cms migrate ${acceptingFlags(account).join(' ')} ` +
      '(or --rename old=new where something was renamed)',
  ].join('\n');
};

/** Reports the events of a development server on stderr. */
export interface DevReporter {
  readonly report: (event: DevEvent) => void;
  /** Sets the server's address. The report of the first build waits for it. */
  readonly listening: (url: string) => void;
}

/** Creates a reporter that prints the addresses once and then a line or more per event. */
export function createDevReporter(terminal: Terminal, style: Style): DevReporter {
  let url: string | null = null;
  let pendingEvent: Serving | null = null;
  let servedModel: ContentModel | null = null;
  const print = (text: string): void => writeText(terminal.stderr, spellCommands(text, terminal));

  const reportServing = (event: Serving, address: string): void => {
    print(servedModel === null ? printWelcome(address, event, style) : printServing(event, style));
    for (const { file, line, message } of event.project.warnings)
      print(`${style.yellow('Warning:')} ${file}:${line} ${message}`);
    servedModel = event.project.model;
  };

  return {
    report: (event) => {
      if (event.kind === 'held') print(printHeld(event, servedModel, style));
      else if (event.kind === 'failed') {
        reportError(event.error, terminal, { json: false, color: style.bold('') !== '' });
        print(servedModel === null ? 'Nothing is served until this is fixed.' : 'The previous API stays.');
      } else if (url === null) pendingEvent = event;
      else reportServing(event, url);
    },
    listening: (address) => {
      url = address;
      if (pendingEvent !== null) reportServing(pendingEvent, address);
    },
  };
}
