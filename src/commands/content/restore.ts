import * as Flags from '@oclif/core/flags';
import { dryRunFlag } from '../../cli/flags.js';
import { BaseCommand } from '../../cli/base-command.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { documentArguments, resolveDocument } from '../../cli/content/find-document.js';
import { openContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { requireDrafts, requireLocale } from '../../documents/write/write-params.js';
import { createError } from '../../errors/catalogue.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

export default class ContentRestore extends BaseCommand<typeof ContentRestore> {
  static override summary = 'Write a published version of a document into its draft.';
  static override description =
    'Does not publish the draft. Skips and reports attributes that the schema no longer has, and ' +
    'links to documents that no longer exist.';
  static override examples = ['<%= config.bin %> <%= command.id %> article a-starter-that-keeps --version 1'];
  static override args = documentArguments;
  static override flags = {
    locale: Flags.string({ description: 'Locale of the document. [default: the default locale]' }),
    version: Flags.integer({
      min: 1,
      required: true,
      description: 'Number of the version, from cms content history.',
    }),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const { version, locale, 'dry-run': isDryRun } = flags;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const type = requireLocale(requireDrafts(resolveType(project.model.types, args.type), 'restore'), locale);
    this.info(await describeTarget(project));
    const { warn } = this.messages;
    return openContent(project, { warn, isDryRun }, async (store) => {
      const documentId = await resolveDocument(store, type, args.document);
      const name = { type: type.uid, documentId, locale };
      const restored = await store.versions.restore(name, version, { isDryRun });
      if (restored === null)
        throw createError('content/unknown-version', { version, type: type.uid, documentId });
      for (const { attribute, reason } of restored.omitted) this.warn(`${attribute}: ${reason}.`);
      const done = isDryRun ? 'Would restore' : 'Restored';
      return {
        json: {
          type: type.uid,
          documentId,
          version,
          omitted: restored.omitted,
          ...(isDryRun ? { dryRun: true } : { document: restored.document }),
        },
        text: `${done} version ${version} of ${type.uid} ${documentId} into its draft.`,
      };
    });
  }
}
