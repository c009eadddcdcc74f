import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { requireLocales } from '../../access/access.js';
import { listLocales } from '../../access/locales.js';
import { BaseCommand } from '../../cli/base-command.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import type { ContentProject } from '../../cli/project/command-target.js';
import { writeText } from '../../cli/terminal/terminal.js';
import { printTime } from '../../cli/terminal/text-layout.js';
import { parsePosition } from '../../documents/changes/change-log.js';
import type { EventFilter, StreamItem } from '../../documents/changes/live-events.js';
import { ALL_TAGS, parseTagNames, typesOfTags } from '../../documents/changes/tag-events.js';
import { createError } from '../../errors/catalogue.js';
import { messageOf } from '../../lib/caught-errors.js';
import { HOUR_MS } from '../../lib/units.js';
import { mapUnreachableError, openProjectDatabase } from '../../project/open/open-database.js';
import { openEvents } from '../../project/open/open-documents.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import { FULL_ACCESS } from '../../query/read-access.js';
import { remoteEvents } from '../../transfer/remote/remote-events.js';

const ACTION_WIDTH = 'discardDraft'.length;

/** Returns the printed time of the event with an id. */
const printTimeOf = (id: string): string => printTime(new Date(parsePosition(id)?.at ?? 0).toISOString());

/** Returns the JSON of an item. */
const printJson = (item: StreamItem): string => {
  if (item.kind === 'event') return JSON.stringify(item.event);
  return JSON.stringify(
    item.kind === 'tags' ? { tags: item.tags, id: item.id } : { action: 'reset', id: item.id },
  );
};

/** `2026-02-28 13:45:00 update api::article.article/p5yq2lqwqgxkgd3zvc6dtlxn en draft 41-mb2k9c1s` */
const printItem = (item: StreamItem): string => {
  if (item.kind === 'tags') return `${printTimeOf(item.id)}  ${item.tags.join(' ')}  ${item.id}`;
  if (item.kind !== 'event') return `Changes before this line may be missing.  ${item.id}`;
  const { action, type, documentId, locale, status, time, id } = item.event;
  const subject = [`${type}/${documentId}`, locale, status].filter((part) => part !== null).join(' ');
  return `${printTime(time)}  ${action.padEnd(ACTION_WIDTH)}  ${subject}  ${id}`;
};

export default class ContentWatch extends BaseCommand<typeof ContentWatch> {
  static override summary = 'Print changes of content until the command is stopped.';
  static override description =
    'Prints one line for each document that any process creates, updates, publishes or deletes. ' +
    'Changes are kept for events.hours hours, so that --since prints those that you missed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> article --status published --json',
    "<%= config.bin %> <%= command.id %> --tag 'article*' --tag author.name",
  ];
  static override args = {
    type: Args.string({
      description: 'Content-type, such as article or api::article.article. Default: all.',
    }),
  };
  static override flags = {
    document: Flags.string({ description: 'Only changes of this document.', helpValue: '<documentId>' }),
    locale: Flags.string({ description: 'Only changes in this locale.' }),
    status: Flags.option({
      options: ['draft', 'published'] as const,
      description: 'Only changes of these versions.',
    })(),
    tag: Flags.string({
      multiple: true,
      description: "Print cache tags that become stale instead of changes: these, or all with '*'.",
      helpValue: '<tag>',
      exclusive: ['document', 'locale', 'status'],
    }),
    since: Flags.string({
      description: 'Begin after the event with this id, which ends each line.',
      helpValue: '<event id>',
    }),
    ...remoteFlag,
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<never> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const { since } = this.flags;
    const filter = this.#filterOf(project);
    if (project.remote !== undefined)
      return this.#print(remoteEvents(project.remote.access, filter, since ?? null));
    return mapUnreachableError(project, () => this.#watch(project, filter, since ?? null));
  }

  #filterOf({ model }: ContentProject): EventFilter {
    const { document, locale, status, tag = [] } = this.flags;
    const { type } = this.args;
    const selected = type === undefined ? null : new Set([resolveType(model.types, type).uid]);
    if (tag.length === 0)
      return {
        types: selected,
        documentId: document ?? null,
        locale: locale ?? null,
        status: status ?? null,
        tags: null,
      };
    const tags = parseTagNames(tag);
    if (tags === null)
      throw createError('cli/invalid-usage', {
        reason: 'An empty --tag selects nothing.',
        remedy: "Pass a cache tag, or --tag '*' for all.",
      });
    const { types, unknown } = typesOfTags(model, tags === ALL_TAGS ? [] : tags);
    if (unknown !== null)
      throw createError('cli/invalid-usage', {
        reason: `--tag ${unknown.tag} is of no content-type.`,
        remedy: unknown.hint || 'See: cms type list',
      });
    if (tags !== ALL_TAGS && selected !== null)
      throw createError('cli/invalid-usage', {
        reason: 'Tags name their content-types.',
        remedy: `Omit ${type}, or pass --tag '*'.`,
      });
    const isOfTypes = tags !== ALL_TAGS && types.length > 0;
    return {
      types: isOfTypes ? new Set(types.map(({ uid }) => uid)) : selected,
      documentId: null,
      locale: null,
      status: null,
      tags,
    };
  }

  async #watch(project: ContentProject, filter: EventFilter, after: string | null): Promise<never> {
    const opened = await openProjectDatabase(project, { isOnlyReader: true });
    const locales = await listLocales(opened.context);
    if (filter.locale !== null)
      requireLocales(
        [filter.locale],
        locales.map(({ code }) => code),
      );
    const { open } = await openEvents(opened, (error) => this.warn(messageOf(error)));
    const { signal } = new AbortController();
    // Without connections, as on SQLite, nothing else keeps the process from ending.
    setInterval(() => undefined, HOUR_MS);
    return this.#print(open({ filter, after, access: async () => FULL_ACCESS, signal }));
  }

  /** Prints items as they arrive. Runs until the process ends. */
  async #print(items: AsyncIterable<StreamItem>): Promise<never> {
    let isFirst = true;
    for await (const item of items) {
      if (isFirst) this.info(`Waiting for changes after ${item.id}.`);
      isFirst = false;
      if (item.kind === 'position') continue;
      writeText(this.terminal.stdout, this.flags.json ? printJson(item) : printItem(item));
    }
    throw new TypeError('A stream of events has ended');
  }
}
