import { setTimeout as sleep } from 'node:timers/promises';
import * as Flags from '@oclif/core/flags';
import { withAdministration } from '../cli/administration.js';
import { BaseCommand } from '../cli/base-command.js';
import type { Outcome } from '../cli/outcome.js';
import { openContentProject, remoteFlag } from '../cli/project/command-target.js';
import type { ContentProject } from '../cli/project/command-target.js';
import { writeText } from '../cli/terminal/terminal.js';
import { printTable, printTime, toOneLine } from '../cli/terminal/text-layout.js';
import type { Administration } from '../api/administration/administration.js';
import type { LoggedEntry } from '../documents/log/read-log.js';
import { createError } from '../errors/catalogue.js';
import { parseDuration } from '../lib/units.js';
import { readDatetime } from '../model/fields/date-value.js';
import { resolveType } from '../project/scaffold/resolve-name.js';

const FOLLOW_MS = 1000;
const PAGE = 1000;
/** Transactions may commit in another order than that of their ids, so that earlier ids are read again. */
const OVERLAP = 500;

type LogOperations = Administration['log'];
type Filter = Omit<Parameters<LogOperations['list']>[0], 'limit'>;

/** `ada`, `token ci`, or `anonymous` */
const printWho = ({ kind, who, whoId }: LoggedEntry): string => {
  const name = who ?? whoId;
  if (name === null) return kind;
  return kind === 'user' ? name : `${kind} ${name}`;
};

const printVia = ({ via, source, address }: LoggedEntry): string =>
  [source ?? via, address].filter((part) => part !== null).join(' ');

const printSubject = ({ type, documentId, locale, target, details }: LoggedEntry): string => {
  if (type !== null) return [`${type}/${documentId ?? ''}`, locale ?? ''].join(' ').trim();
  return target ?? (details === null ? '' : JSON.stringify(details));
};

const parseSince = (text: string): number => {
  const duration = parseDuration(text);
  const since = duration === null ? readDatetime(text)?.getTime() : Date.now() - duration;
  if (since !== undefined) return since;
  throw createError('cli/invalid-usage', {
    reason: `--since ${text} is neither a duration nor a time.`,
    remedy: 'Write 30m, 12h, 7d or 2026-02-28T13:45:00.000Z.',
  });
};

export default class Log extends BaseCommand<typeof Log> {
  static override summary = 'List who changed what, latest first.';
  static override description =
    'Shows writes of content, sign-ins, rejected attempts, and changes of access, settings and schema. ' +
    'Rows are kept for log.days days.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --document article/p5yq2lqwqgxkgd3zvc6dtlxn',
    '<%= config.bin %> <%= command.id %> --who ada --since 7d --json',
    '<%= config.bin %> <%= command.id %> --action sign-in-rejected --limit 100',
  ];
  static override flags = {
    document: Flags.string({
      description: 'List only rows of this document: article/<documentId>.',
      exclusive: ['type'],
      helpValue: '<type/documentId>',
    }),
    type: Flags.string({ description: 'List only rows of documents of this content-type.' }),
    who: Flags.string({
      description:
        'List only rows of this user, token or shell account, or of a kind: user, token, anonymous, ' +
        'shell, schedule or code.',
    }),
    action: Flags.string({ description: 'List only rows of this action, such as publish or tokens.create.' }),
    via: Flags.string({ description: 'List only rows that came this way: rest, graphql, mcp or command.' }),
    since: Flags.string({
      description: 'List only rows from this time on, or of the last 30m, 12h or 7d.',
      helpValue: '<time>',
    }),
    limit: Flags.integer({ min: 1, max: PAGE, default: 25, description: 'Maximum number of rows to list.' }),
    follow: Flags.boolean({
      description: 'Print new rows until the command is stopped, as JSON lines with --json.',
    }),
    ...remoteFlag,
  };
  static override completion = { type: 'type' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const filter = this.#filter(project);
    return withAdministration(project, this.messages.warn, async ({ log }) => {
      if (this.flags.follow) return this.#follow(log, filter);
      const { entries } = await log.list({ ...filter, limit: this.flags.limit });
      if (entries.length === 0) this.info('The log has no such rows.');
      return { json: { entries }, text: this.#print(entries) };
    });
  }

  #filter({ model }: ContentProject): Filter {
    const { document, type, who, action, via, since } = this.flags;
    const [typeName = type, documentId] = document?.split('/') ?? [];
    return {
      ...(typeName === undefined ? {} : { type: resolveType(model.types, typeName).uid }),
      ...(documentId === undefined ? {} : { documentId }),
      ...(who === undefined ? {} : { who }),
      ...(action === undefined ? {} : { action }),
      ...(via === undefined ? {} : { via }),
      ...(since === undefined ? {} : { since: parseSince(since) }),
    };
  }

  #print(entries: readonly LoggedEntry[]): string {
    return printTable(
      entries,
      [
        { header: 'TIME (UTC)', value: ({ at }) => printTime(at) },
        { header: 'WHO', value: (entry) => toOneLine(printWho(entry)) },
        { header: 'FROM', value: (entry) => toOneLine(printVia(entry)), optional: true },
        { header: 'ACTION', value: ({ action }) => action },
        { header: 'SUBJECT', value: (entry) => toOneLine(printSubject(entry)) },
        { header: 'ATTRIBUTES', value: ({ attributes }) => attributes?.join(', ') ?? '', optional: true },
      ],
      this.style,
    );
  }

  /** Prints rows when they are added. Runs until the process ends. */
  async #follow(log: LogOperations, filter: Filter): Promise<never> {
    const [latest] = (await log.list({ limit: 1 })).entries;
    let last = latest?.id ?? 0;
    const first = last;
    const printed = new Set<number>();
    for (;;) {
      const after = Math.max(first, last - OVERLAP);
      const { entries } = await log.list({ ...filter, after, limit: PAGE });
      for (const entry of entries.filter(({ id }) => !printed.has(id))) {
        this.#printLine(entry);
        printed.add(entry.id);
        last = Math.max(last, entry.id);
      }
      for (const id of printed) if (id <= last - OVERLAP) printed.delete(id);
      if (entries.length < PAGE) await sleep(FOLLOW_MS);
    }
  }

  #printLine(entry: LoggedEntry): void {
    const line = this.flags.json
      ? JSON.stringify(entry)
      : this.#print([entry]).split('\n').slice(1).join('\n');
    writeText(this.terminal.stdout, line);
  }
}
