import type { ContentStore } from '../../transfer/store/content-store.js';
import type { MediaFile } from '../../transfer/store/media-store.js';
import { createError } from '../../errors/catalogue.js';
import type { ContentType } from '../../model/model.js';
import { resolveAttribute, resolveType } from '../../project/scaffold/resolve-name.js';
import { resolveDocument } from '../content/resolve-document.js';
import { runWrites } from '../content/run-write.js';

/** The media attribute of a document that files are linked to. */
export interface Link {
  readonly type: ContentType;
  readonly documentId: string;
  readonly attribute: string;
  readonly isMany: boolean;
}

const invalid = (reason: string, remedy: string): Error =>
  createError('cli/invalid-usage', { reason, remedy });

/**
 * Parses `article hello-world cover`, or `home-page cover` for a single type.
 *
 * @throws `cli/invalid-usage`, `cli/unknown-name`, `content/unknown-document`
 */
export async function parseLink(store: ContentStore, text: string, count: number): Promise<Link> {
  const words = text.trim().split(/\s+/);
  const [typeName, ...rest] = words;
  const name = rest.pop();
  if (typeName === undefined || name === undefined)
    throw invalid(
      `--link ${text} does not name an attribute.`,
      "Write it as type, document and attribute: --link 'article hello-world cover'.",
    );
  const type = resolveType(store.model.types, typeName);
  const attributes = Object.values(type.attributes);
  const attribute = type.attributes[resolveAttribute({ uid: type.uid, attributes }, name)];
  if (attribute?.family !== 'media') {
    const media = attributes.filter(({ family }) => family === 'media').map((other) => other.name);
    const remedy =
      media.length === 0 ? `${type.uid} has no media attribute.` : `Of media are: ${media.join(', ')}.`;
    throw invalid(`${name} of ${type.uid} takes no files.`, remedy);
  }
  if (!attribute.many && count > 1)
    throw invalid(`${name} of ${type.uid} takes one file.`, 'Add the files one by one.');
  const document = rest.length === 0 ? undefined : rest.join(' ');
  const documentId = await resolveDocument(store, type, document);
  return { type, documentId, attribute: name, isMany: attribute.many };
}

/** Links a file to what {@link parseLink} has found, behind those that are linked already. */
export async function linkFile(
  store: ContentStore,
  { type, documentId, attribute, isMany }: Link,
  { id }: MediaFile,
  { locale, publish }: { readonly locale: string | undefined; readonly publish: boolean },
): Promise<void> {
  const write = {
    action: 'update' as const,
    documentId,
    data: { [attribute]: isMany ? { connect: [id] } : id },
    status: publish ? ('published' as const) : ('draft' as const),
    ...(locale === undefined ? {} : { locale }),
  };
  await runWrites(store, type, [write], false);
}
