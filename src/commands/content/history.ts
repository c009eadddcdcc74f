import * as Flags from '@oclif/core/flags';
import { stringify } from 'yaml';
import { BaseCommand } from '../../cli/base-command.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { documentArguments, resolveDocument } from '../../cli/content/find-document.js';
import { readContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable, printTime } from '../../cli/terminal/text-layout.js';
import type { ContentVersions, VersionedName } from '../../transfer/store/content-store.js';
import { requireDrafts, requireLocale } from '../../documents/write/write-params.js';
import { createError } from '../../errors/catalogue.js';
import { printUnifiedDiff } from '../../lib/files.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

const contentOf = async (versions: ContentVersions, name: VersionedName, version: number) => {
  const found = await versions.find(name, version);
  if (found === null)
    throw createError('content/unknown-version', {
      version,
      type: name.type,
      documentId: name.documentId,
    });
  return found;
};

export default class ContentHistory extends BaseCommand<typeof ContentHistory> {
  static override summary = 'List the published versions of a document, or show one of them.';
  static override description = 'Keeps up to history.limit versions, without private values and passwords.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article a-starter-that-keeps',
    '<%= config.bin %> <%= command.id %> article a-starter-that-keeps --version 1',
    '<%= config.bin %> <%= command.id %> article a-starter-that-keeps --diff 1',
  ];
  static override args = documentArguments;
  static override flags = {
    locale: Flags.string({ description: 'Locale of the document. [default: the default locale]' }),
    version: Flags.integer({ min: 1, description: 'Show the values of this version.', exclusive: ['diff'] }),
    diff: Flags.integer({
      min: 1,
      description: 'Show the changes from this version to the latest one.',
    }),
    ...remoteFlag,
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const type = requireLocale(
      requireDrafts(resolveType(project.model.types, args.type), 'list'),
      flags.locale,
    );
    return readContent(project, async (store) => {
      const documentId = await resolveDocument(store, type, args.document);
      const name = { type: type.uid, documentId, locale: flags.locale };
      if (flags.version !== undefined) {
        const found = await contentOf(store.versions, name, flags.version);
        return { json: found, text: stringify(found.content) };
      }
      const versions = (await store.versions.list(name)) ?? [];
      if (flags.diff !== undefined) return this.#diff(store.versions, name, flags.diff, versions[0]?.version);
      if (versions.length === 0) this.info('There are no published versions.');
      const text = printTable(
        versions,
        [
          { header: 'VERSION', value: ({ version }) => version, align: 'right' },
          { header: 'PUBLISHED (UTC)', value: ({ publishedAt }) => printTime(publishedAt) },
          { header: 'AUTHOR', value: ({ author }) => author ?? '' },
        ],
        this.style,
      );
      return {
        json: { type: type.uid, documentId, versions },
        text: versions.length === 0 ? '' : text,
      };
    });
  }

  async #diff(
    versions: ContentVersions,
    name: VersionedName,
    from: number,
    latest: number = from,
  ): Promise<Outcome> {
    const before = await contentOf(versions, name, from);
    const after = await contentOf(versions, name, latest);
    const diff = printUnifiedDiff({
      path: `${name.documentId} ${from}..${latest}`,
      before: stringify(before.content),
      after: stringify(after.content),
    });
    if (diff === '') this.info('Nothing has changed since that version.');
    return { json: { before, after }, text: diff };
  }
}
