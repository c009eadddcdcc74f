import type { ContentModel } from '../../model/model.js';
import { compareSchemas, outlineModel } from '../../model/outline.js';
import type { SchemaDifference } from '../../model/outline.js';
import type { RemoteAbout } from '../../transfer/remote/about-remote.js';

const WORDS: Readonly<Record<string, string>> = {
  'full-access': 'may read and write everything',
  'read-only': 'may read',
};

/** Says in a sentence or two what a server is, and what the token may do. */
export function describeAbout({ version, token, locales }: RemoteAbout): string {
  const codes = locales.map(({ code, isDefault }) => (isDefault ? `${code} (default)` : code)).join(', ');
  const server = `It answers with version ${version} and the locales ${codes}.`;
  if (token === null) return server;
  const expiry = token.expiresAt === null ? '' : ` until ${token.expiresAt.slice(0, 10)}`;
  return `${server} The token ${token.name} ${WORDS[token.type] ?? `is of type ${token.type}`}${expiry}.`;
}

/** Compares the types and components of a project, also those that only the server has. */
export function differencesFrom(model: ContentModel, { schemas }: RemoteAbout): readonly SchemaDifference[] {
  const own = outlineModel(model);
  const onlyThere = Object.keys(schemas)
    .filter((uid) => !Object.hasOwn(own, uid))
    .map((uid) => ({ uid, reasons: ['it is only there'], isFundamental: true }));
  const others = Object.entries(own).flatMap(([uid, outline]) => {
    const difference = compareSchemas(uid, outline, schemas[uid]);
    return difference === null ? [] : [difference];
  });
  return [...others, ...onlyThere];
}

/** `api::lamp.lamp is not the same there: price is missing there.` */
export function describeDifference({ uid, reasons }: SchemaDifference): string {
  return `${uid}: ${reasons.join(', ')}.`;
}
