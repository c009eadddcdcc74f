import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { dryRunFlag } from '../../cli/flags.js';
import { findParams, filterFlags } from '../../cli/content/find-params.js';
import { documentArguments, resolveDocument } from '../../cli/content/find-document.js';
import { ifMatchFlag, runWrites, withIfMatch } from '../../cli/content/save-document.js';
import { openContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import type { ContentStore } from '../../transfer/store/content-store.js';
import { createError } from '../../errors/catalogue.js';
import { requireLocale } from '../../documents/write/write-params.js';
import type { ContentType } from '../../model/model.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import { countNoun } from '../../lib/text.js';

/** Maximum number of documentIds that the prompt lists. */
const NAMED = 3;

export default class ContentDelete extends BaseCommand<typeof ContentDelete> {
  static override summary = 'Delete a document, or all documents that match filters.';
  static override description =
    'Deletes drafts and published versions, after confirmation. With --locale, deletes that locale ' +
    'only.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article notes-on-rye --yes',
    "<%= config.bin %> <%= command.id %> article --filter 'title:startsWith=Notes' --dry-run",
  ];
  static override args = documentArguments;
  static override flags = {
    filter: filterFlags.filter,
    query: filterFlags.query,
    locale: Flags.string({ description: 'Locale to delete. [default: all locales]' }),
    ...ifMatchFlag,
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const named = resolveType(project.model.types, this.args.type);
    // `*` is also valid for types without locales.
    const type = flags.locale === '*' ? named : requireLocale(named, flags.locale);
    this.info(await describeTarget(project));
    const isDryRun = flags['dry-run'];
    const opening = { isDryRun, warn: this.messages.warn };
    return openContent(project, opening, async (store) => {
      const documentIds = await this.#choose(store, type);
      const json = { action: 'delete', type: type.uid, documentIds, ...(isDryRun ? { dryRun: true } : {}) };
      if (documentIds.length === 0) return { json, text: 'No documents match.' };
      if (!isDryRun) await this.confirm(this.#question(type, documentIds));
      const locale = flags.locale ?? '*';
      const write = { action: 'delete' as const, locale, ...withIfMatch(flags) };
      const writes = documentIds.map((documentId) => ({ ...write, documentId }));
      await runWrites(store, type, writes, isDryRun);
      const count = countNoun(documentIds.length, 'document');
      return { json, text: `${isDryRun ? 'Would delete' : 'Deleted'} ${count} of ${type.uid}.` };
    });
  }

  async #choose(store: ContentStore, type: ContentType): Promise<readonly string[]> {
    const { args, flags } = this;
    const isFiltered = flags.filter !== undefined || flags.query !== undefined;
    if (args.document !== undefined && isFiltered)
      throw createError('cli/invalid-usage', {
        reason: 'A document and a filter cannot be combined.',
        remedy: 'Name the document, or select documents with --filter.',
      });
    if (isFiltered && flags['if-match'] !== undefined)
      throw createError('cli/invalid-usage', {
        reason: '--if-match and a filter cannot be combined.',
        remedy: 'Name the document.',
      });
    if (!isFiltered) return [await resolveDocument(store, type, args.document)];
    const locale = type.localized ? { locale: flags.locale ?? '*' } : {};
    const params = {
      ...findParams({ filter: flags.filter, query: flags.query }, { model: store.model, type }),
      ...locale,
    };
    const found = await store.find(type.uid, { ...params, fields: ['documentId'], populate: [] });
    return [...new Set(found.map(({ documentId }) => documentId))];
  }

  #question({ uid }: ContentType, documentIds: readonly string[]): string {
    const names = documentIds.slice(0, NAMED).join(', ');
    const rest = documentIds.length > NAMED ? ` and ${countNoun(documentIds.length - NAMED, 'other')}` : '';
    const locale = this.flags.locale === undefined ? '' : ` in ${this.flags.locale}`;
    return `Delete ${documentIds.length} of ${uid}${locale} (${names}${rest})?`;
  }
}
