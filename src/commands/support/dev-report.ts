import type { Project } from '../../app/open-project.js';
import type { DevEvent } from '../../app/start-dev.js';
import { graphqlOptionsOf } from '../../graphql/graphql-options.js';
import { describeLoss } from '../../migrations/at-stake.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { describeLosses } from './describe-loss.js';
import { reportError } from './report.js';
import type { Style } from './style.js';
import { printKeyValues } from './table.js';
import { writeText } from './terminal.js';
import type { Terminal } from './terminal.js';

const pathOf = (type: ContentType, prefix: string): string => `${prefix}/${type.kind === 'singleType' ? type.singularName : type.pluralName}`;

const graphqlFacts = (url: string, { config }: Project, style: Style): readonly (readonly [string, string])[] => {
  const options = graphqlOptionsOf(config);
  if (options === null) return [];
  return [['GraphQL', `${url}${options.endpoint}${options.playground ? style.dim(' (in a browser: the playground)') : ''}`]];
};

type Serving = Extract<DevEvent, { readonly kind: 'serving' }>;

/** Where the API is, what it has, and how to get in: shown once, when it serves for the first time. */
export function printWelcome(url: string, { project, ms }: Pick<Serving, 'project' | 'ms'>, style: Style): string {
  const { prefix } = project.config.api.rest;
  const types = project.model.types.filter(({ origin }) => origin === 'project');
  const facts = printKeyValues([
    ['API', `${url}${prefix}`],
    ...graphqlFacts(url, project, style),
    ...types.map((type, index) => [index === 0 ? 'Types' : '', `${type.singularName} ${style.dim(pathOf(type, prefix))}`] as const),
    ...(types.length === 0 ? [['Types', 'none yet; make one with: cms type add'] as const] : []),
    ['Token', 'cms token create --name dev --type full-access'],
    ['Open up', 'cms permissions set public <type> find findOne'],
  ], style);
  return `${facts}\n${style.green('✔')} Serving after ${ms} ms. Changes are taken over as they are saved; Ctrl-C stops.`;
}

const printChanged = (changed: readonly string[]): string => (changed.length > 2 ? `${changed.length} files` : changed.join(', '));

const printServing = ({ ms, changed, migration, seeded }: Serving, style: Style): string =>
  [
    `${style.green('✔')} New API after ${ms} ms (${printChanged(changed)})`,
    ...(migration === null ? [] : [`  prisma/migrations/${migration}`]),
    ...(seeded === 0 ? [] : [`  imported ${seeded} documents from seed/`]),
  ].join('\n');

const printHeld = ({ preview }: Extract<DevEvent, { readonly kind: 'held' }>, before: ContentModel | null, style: Style): string => {
  const losses = before === null ? preview.losses.map(describeLoss) : describeLosses(before, preview.losses).map(({ what, reason, rows }) => `${what}: ${reason} (${rows ?? 0} rows)`);
  return [
    `${style.yellow('Held:')} this would lose data, so ${before === null ? 'nothing serves yet' : 'what was there before goes on serving'}.`,
    ...losses.map((loss) => `  ${loss}`),
    'To go ahead, run: cms migrate --accept-data-loss (or --rename old=new where something was renamed)',
  ].join('\n');
};

/** Tells people what happens in a development server, on stderr. */
export interface DevReporter {
  readonly report: (event: DevEvent) => void;
  /** The address is known only after the first round, whose success is told then. */
  readonly listening: (url: string) => void;
}

export function createDevReporter(terminal: Terminal, style: Style): DevReporter {
  let url: string | null = null;
  let early: Serving | null = null;
  let served: ContentModel | null = null;
  const say = (text: string): void => writeText(terminal.stderr, text);

  const serve = (event: Serving, address: string): void => {
    say(served === null ? printWelcome(address, event, style) : printServing(event, style));
    for (const { file, line, message } of event.project.warnings) say(`${style.yellow('Warning:')} ${file}:${line} ${message}`);
    served = event.project.model;
  };

  return {
    report: (event) => {
      if (event.kind === 'held') say(printHeld(event, served, style));
      else if (event.kind === 'failed') {
        reportError(event.error, terminal, { json: false, color: style.bold('') !== '' });
        say(served === null ? 'Nothing serves until that is right.' : 'What was there before goes on serving.');
      } else if (url === null) early = event;
      else serve(event, url);
    },
    listening: (address) => {
      url = address;
      if (early !== null) serve(early, address);
    },
  };
}
