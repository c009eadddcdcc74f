import { match } from 'path-to-regexp';
import { createError } from '../../errors/catalogue.js';
import { getOrCreate } from '../../lib/collections.js';
import { nearest } from '../../lib/nearest.js';
import { LOCAL_PREFIX } from '../../media/providers.js';
import { keysOfRow } from '../../media/file-table.js';
import { isStorableText } from '../../model/fields/text-value.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType, VersionStatus } from '../../model/model.js';
import { comparableField, comparableNames } from '../../query/schema-fields.js';
import type { ContentLocale, ContentStore } from '../store/content-store.js';
import type { MediaStore } from '../store/media-store.js';
import { readModel } from '../store/read-documents.js';
import type { StoredDocument, StoredVersion } from '../store/read-documents.js';
import { examinedVersions, problemOf } from './check.js';
import type { Problem } from './check.js';
import { referencesOf } from './text-references.js';
import type { TextReference } from './text-references.js';

/** The addresses of documents and files. */
export interface SiteAddresses {
  /** Addresses of documents in the front end by the uid of their type: `/articles/:slug`. */
  readonly links: Readonly<Record<string, string>>;
  /** The public URL of the server. Empty: links to it are relative. */
  readonly serverUrl: string;
  /** The path before the routes of REST. */
  readonly apiPrefix: string;
  /** The addresses that precede the names of files, in addition to that of the server. */
  readonly fileBases: readonly string[];
}

/** An address of documents, and the attributes that it contains. */
interface LinkPattern {
  readonly type: ContentType;
  readonly origin: string | null;
  /** The address without its origin: `/articles/:slug`. */
  readonly path: string;
  readonly parse: (path: string) => Readonly<Record<string, string>> | null;
}

const createPattern = (type: ContentType, address: string): LinkPattern => {
  const [, origin = null, path = address] = /^(https?:\/\/[^/]+)(\/.*)$/.exec(address) ?? [];
  const matchPath = match<Record<string, string>>(path, { decode: decodeURIComponent });
  return {
    type,
    origin,
    path,
    parse: (text) => {
      try {
        const found = matchPath(text);
        return found === false ? null : found.params;
      } catch {
        // A part of the address is not encoded correctly.
        return null;
      }
    },
  };
};

const KNOWN_PARTS: ReadonlySet<string> = new Set(['documentId', 'locale']);

const invalidLink = (uid: string, reason: string): Error =>
  createError('config/invalid', { file: 'cms.config', summary: `content.links.${uid} ${reason}` });

const configuredPattern = (model: ContentModel, uid: string, address: string): LinkPattern => {
  const type = Object.hasOwn(model.typesByUid, uid) ? model.typesByUid[uid] : undefined;
  if (type === undefined) {
    const suggestion = nearest(uid, Object.keys(model.typesByUid));
    const remedy = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
    throw invalidLink(uid, `is not a content-type${remedy}`);
  }
  for (const [, name = ''] of address.replace(/^https?:/, '').matchAll(/:(\w+)/g))
    if (!KNOWN_PARTS.has(name) && comparableField(type, name) === null)
      throw invalidLink(
        uid,
        `contains :${name}, which is not an attribute; known are ${comparableNames(type).join(', ')}`,
      );
  if (type.kind === 'collectionType' && !/:(?!locale\b)\w/.test(address.replace(/^https?:/, '')))
    throw invalidLink(uid, 'must contain an attribute such as :documentId, which identifies a document');
  return createPattern(type, address);
};

/** Returns the addresses of the API, which need no configuration. */
const apiPattern = (type: ContentType, { apiPrefix, serverUrl }: SiteAddresses): LinkPattern => {
  const path = type.kind === 'singleType' ? type.singularName : `${type.pluralName}/:documentId`;
  return createPattern(type, `${serverUrl}${apiPrefix}/${path}`);
};

/** The document or file to which a link leads. */
type Target =
  | { readonly kind: 'file'; readonly name: string; readonly address: string }
  /** Several types may have addresses of the same form. */
  | { readonly kind: 'document'; readonly candidates: readonly Candidate[] };

interface Candidate {
  readonly type: ContentType;
  readonly values: Readonly<Record<string, string>>;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Creates a function that returns the target of a URL. Null: it leads to another site or page. */
function createTargets(model: ContentModel, addresses: SiteAddresses): (url: string) => Target | null {
  const patterns = [
    ...Object.entries(addresses.links).map(([uid, address]) => configuredPattern(model, uid, address)),
    ...model.types.filter(({ origin }) => origin === 'project').map((type) => apiPattern(type, addresses)),
  ];
  const publicPath =
    addresses.serverUrl === '' ? '' : new URL(addresses.serverUrl).pathname.replace(/\/$/, '');
  const bases = new Set([
    `${LOCAL_PREFIX}/`,
    `${publicPath}${LOCAL_PREFIX}/`,
    ...(addresses.serverUrl === '' ? [] : [`${addresses.serverUrl}${LOCAL_PREFIX}/`]),
    ...addresses.fileBases.filter((base) => base !== '').map((base) => `${base.replace(/\/$/, '')}/`),
  ]);
  const apiPath = `${publicPath}${addresses.apiPrefix}/`;
  /** Addresses such as `/:locale/:slug` do not match routes of the API. */
  const mayLead = ({ origin: expected, path: template }: LinkPattern, origin: string, path: string) =>
    (origin === '' || origin === expected) &&
    (apiPath === '/' || !path.startsWith(apiPath) || template.startsWith(apiPath));
  return (url) => {
    const address = url.replace(/[?#].*$/s, '');
    if ([...bases].some((base) => address.startsWith(base)))
      return { kind: 'file', name: decode(address.slice(address.lastIndexOf('/') + 1)), address };
    const [, origin = '', path = ''] = /^(https?:\/\/[^/]+)?(\/(?!\/).*)$/.exec(address) ?? [];
    if (path === '') return null;
    const candidates = patterns.flatMap((pattern) => {
      const values = mayLead(pattern, origin, path) ? pattern.parse(path) : null;
      return values === null ? [] : [{ type: pattern.type, values }];
    });
    return candidates.length === 0 ? null : { kind: 'document', candidates };
  };
}

/** A reference in one version. */
interface FoundReference extends TextReference {
  readonly document: StoredDocument;
  readonly version: StoredVersion;
  readonly target: Target | null;
}

/** Returns the hashes that the file of an object may have: the names of copies start with their format. */
const possibleHashes = (name: string): readonly string[] => {
  const parts = name.replace(/\.[^.]*$/, '').split('_');
  return parts.map((_, index) => parts.slice(index).join('_'));
};

type FileTarget = Extract<Target, { readonly kind: 'file' }>;

/** Returns the names of files that exist. */
const findFileNames = async (
  media: MediaStore,
  targets: readonly FileTarget[],
): Promise<ReadonlySet<string>> => {
  const byName = new Map(targets.map((target) => [target.name, target]));
  if (byName.size === 0) return new Set();
  const hashes = [...new Set([...byName.keys()].filter(isStorableText).flatMap(possibleHashes))];
  const found = new Set((await media.find({ filters: { hash: { $in: hashes } } })).flatMap(keysOfRow));
  for (const target of byName.values())
    if (!found.has(target.name) && isStorableText(target.name) && (await media.isFormer(target)))
      found.add(target.name);
  return found;
};

type IsFound = (candidate: Candidate, status: VersionStatus) => boolean;

/** Returns the names of the values that documents of a type have. Only localized types have a locale. */
const storedNames = ({ type, values }: Candidate): readonly string[] =>
  Object.keys(values).filter((name) => name !== 'locale' || type.localized);

/** Looks up documents by the first value of their addresses. Types without drafts have one status. */
const findDocuments = async (
  store: ContentStore,
  references: readonly FoundReference[],
  locales: readonly ContentLocale[],
): Promise<IsFound> => {
  const lookups = new Map<string, Candidate[]>();
  const lookupKeyOf = (candidate: Candidate, status: VersionStatus): string => {
    const { type } = candidate;
    return JSON.stringify([type.uid, type.draftAndPublish ? status : 'published', storedNames(candidate)]);
  };
  for (const { target, version } of references)
    for (const candidate of target?.kind === 'document' ? target.candidates : [])
      getOrCreate(lookups, lookupKeyOf(candidate, version.status), () => []).push(candidate);
  const valuesKey = (names: readonly string[], values: Readonly<Record<string, unknown>>): string =>
    JSON.stringify(names.map((name) => String(values[name])));
  const records = new Map<string, ReadonlySet<string>>();
  for (const [key, candidates] of lookups) {
    const [uid, status, names] = JSON.parse(key) as [string, VersionStatus, readonly string[]];
    const type = typeOf(store.model, uid);
    const name = names.find((other) => other !== 'locale');
    const isValue = (value: string): boolean =>
      name !== undefined && comparableField(type, name)?.parse(value).ok === true;
    const lookedUp = [...new Set(candidates.map(({ values }) => values[name ?? ''] ?? ''))].filter(isValue);
    const found = await store.find(uid, {
      // Fixed addresses are those of single types.
      ...(name === undefined ? {} : { filters: { [name]: { $in: lookedUp } } }),
      fields: names.length === 0 ? ['documentId'] : [...names],
      ...(type.draftAndPublish ? { status } : {}),
      ...(type.localized ? { locale: '*' } : {}),
    });
    records.set(key, new Set(found.map((record) => valuesKey(names, record))));
  }
  const isLocale = ({ locale }: Candidate['values']): boolean =>
    locale === undefined || locales.some(({ code }) => code === locale);
  return (candidate, status) =>
    isLocale(candidate.values) &&
    records.get(lookupKeyOf(candidate, status))?.has(valuesKey(storedNames(candidate), candidate.values)) ===
      true;
};

const altTextProblem = ({ document, version, path, url, line }: FoundReference): Problem =>
  problemOf(document, version, {
    rule: 'missing-alt-text',
    path,
    message: `The image ${url}${line === null ? '' : ` in line ${line}`} has no alternative text.`,
  });

const deadLinkProblem = ({ document, version, path, kind, url, line, target }: FoundReference): Problem => {
  const at = line === null ? '' : ` in line ${line}`;
  const subject = kind === 'image' ? 'The image' : 'The link';
  const lost =
    target?.kind === 'file'
      ? 'the media library has no such file'
      : `no ${version.status} document has this address`;
  return problemOf(document, version, {
    rule: 'dead-link',
    path,
    message: `${subject} ${url}${at} is dead: ${lost}.`,
  });
};

/**
 * Creates the rules `dead-link` and `missing-alt-text` for rich texts. Drafts may link drafts; published
 * versions must link published ones.
 *
 * @throws `config/invalid` if an address names an unknown content-type or attribute
 */
export function createLinkRules(
  { content, media }: { readonly content: ContentStore; readonly media: MediaStore },
  addresses: SiteAddresses,
  locales: readonly ContentLocale[],
): (page: readonly StoredDocument[]) => Promise<readonly Problem[]> {
  const model = readModel(content);
  const targetOf = createTargets(content.model, addresses);
  return async (page) => {
    const references = page.flatMap((document) =>
      examinedVersions(document).flatMap((version) =>
        referencesOf(model, typeOf(model, document.type.uid), version).map((reference) => ({
          ...reference,
          document,
          version,
          target: targetOf(reference.url),
        })),
      ),
    );
    const targets = references.flatMap(({ target }) => (target?.kind === 'file' ? [target] : []));
    const files = await findFileNames(media, targets);
    const isFound = await findDocuments(content, references, locales);
    const isDead = ({ target, version }: FoundReference): boolean => {
      if (target === null) return false;
      return target.kind === 'file'
        ? !files.has(target.name)
        : !target.candidates.some((candidate) => isFound(candidate, version.status));
    };
    const dead = references.filter(isDead);
    const referenceKeyOf = ({ document, version, path, url }: FoundReference): string =>
      JSON.stringify([document.documentId, version.locale, path, url]);
    const published = new Set(
      dead.filter(({ version }) => version.status === 'published').map(referenceKeyOf),
    );
    const isRepeated = (reference: FoundReference): boolean =>
      reference.version.status === 'draft' && published.has(referenceKeyOf(reference));
    return [
      ...dead.filter((reference) => !isRepeated(reference)).map(deadLinkProblem),
      ...references.filter(({ kind, alt }) => kind === 'image' && alt.trim() === '').map(altTextProblem),
    ];
  };
}
