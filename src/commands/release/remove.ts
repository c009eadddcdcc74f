import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { documentArguments, resolveDocument } from '../../cli/content/find-document.js';
import { readContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { releaseArgument, releaseFlags, releaseOutcome, withReleases } from '../../cli/releases.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

export default class ReleaseRemove extends BaseCommand<typeof ReleaseRemove> {
  static override description = 'Remove a document from a release.';
  static override examples = ['<%= config.bin %> <%= command.id %> spring article a-starter-that-keeps'];
  static override args = { ...releaseArgument, ...documentArguments };
  static override flags = {
    locale: Flags.string({ description: 'Locale of the document. [default: the default locale]' }),
    ...releaseFlags,
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const { locale } = flags;
    const isDryRun = flags['dry-run'];
    const release = await withReleases(
      [this.projectRoot, this.flags, this.messages],
      async (releases, project) => {
        const type = resolveType(project.model.types, args.type);
        const documentId = await readContent(project, (store) => resolveDocument(store, type, args.document));
        const target = { type: type.uid, documentId, ...(locale === undefined ? {} : { locale }) };
        return releases.remove({ name: args.release, targets: [target], dryRun: isDryRun });
      },
    );
    return releaseOutcome(release, {
      verb: `remove ${args.type} from`,
      done: `Removed ${args.type} from`,
      isDryRun,
    });
  }
}
