import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { documentArguments, resolveDocument } from '../../cli/content/find-document.js';
import { readContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import {
  addChanges,
  releaseArgument,
  releaseFlags,
  releaseOutcome,
  withReleases,
} from '../../cli/releases.js';
import { requireDrafts, requireLocale } from '../../documents/write/write-params.js';
import { countNoun } from '../../lib/text.js';
import type { ContentType } from '../../model/model.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import type { ContentStore } from '../../transfer/store/content-store.js';

/** Returns the documents whose drafts differ from what is published. */
const findChanged = async (
  store: ContentStore,
  { uid }: ContentType,
  locale: string | undefined,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const publicationFilter of ['never-published', 'modified'])
    found.push(
      ...(
        await store.find(uid, {
          fields: ['documentId'],
          publicationFilter,
          ...(locale === undefined ? {} : { locale }),
        })
      ).map(({ documentId }) => documentId),
    );
  return found;
};

export default class ReleaseAdd extends BaseCommand<typeof ReleaseAdd> {
  static override summary = 'Add a document to a release, to be published with it.';
  static override description =
    'The release publishes the draft as it is on that day. Adding a document again replaces its action.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> spring article a-starter-that-keeps',
    '<%= config.bin %> <%= command.id %> spring article a-starter-that-keeps --unpublish',
    '<%= config.bin %> <%= command.id %> spring article --changed',
  ];
  static override args = { ...releaseArgument, ...documentArguments };
  static override flags = {
    locale: Flags.string({ description: 'Locale of the document. [default: the default locale]' }),
    unpublish: Flags.boolean({ description: 'Unpublish the document with the release.' }),
    changed: Flags.boolean({
      description: 'Add all documents of the type with unpublished changes.',
      exclusive: ['unpublish'],
    }),
    ...releaseFlags,
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const isDryRun = flags['dry-run'];
    return withReleases([this.projectRoot, this.flags, this.messages], async (releases, project) => {
      const named = requireDrafts(resolveType(project.model.types, args.type), 'publish');
      const type = requireLocale(named, flags.locale);
      const documentIds = await readContent(project, async (store) =>
        flags.changed
          ? findChanged(store, type, flags.locale)
          : [await resolveDocument(store, type, args.document)],
      );
      const changes = documentIds.map((documentId) => ({
        type: type.uid,
        documentId,
        action: flags.unpublish ? ('unpublish' as const) : ('publish' as const),
        locale: flags.locale ?? null,
      }));
      const { changes: _changes, ...release } = await releases.get({ name: args.release });
      const added = await addChanges(releases, release, changes, isDryRun);
      const count = countNoun(changes.length, 'change');
      return releaseOutcome(added, { verb: `add ${count} to`, done: `Added ${count} to`, isDryRun });
    });
  }
}
