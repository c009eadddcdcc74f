import type { ContentType } from '../../model/model.js';

export type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete';

/** What must be granted for an action on a type: files and languages are guarded under their plugin's controller. */
const CONTROLLERS: Readonly<Record<string, string>> = { 'plugin::upload.file': 'plugin::upload.content-api' };

export interface Permission {
  readonly uid: string;
  readonly action: string;
}

/** What a caller must have been granted to do that with documents of the type. */
export function permissionOf(type: ContentType, action: Action): Permission {
  // A single type has one document, so that finding it is finding all.
  const named = type.kind === 'singleType' && action === 'findOne' ? 'find' : action;
  if (type.uid === 'plugin::i18n.locale') return { uid: 'plugin::i18n.locales', action: 'listLocales' };
  return { uid: CONTROLLERS[type.uid] ?? type.uid, action: named };
}

const asked = new WeakMap<object, Permission>();

/** Notes what a resolver asks for before it does anything else; answers the resolver. */
export function asks<Resolver extends object>(permission: Permission, resolver: Resolver): Resolver {
  asked.set(resolver, permission);
  return resolver;
}

/** What a resolver asks for; undefined: nothing, as far as is known. */
export function permissionAsked(resolver: object | undefined): Permission | undefined {
  return resolver === undefined ? undefined : asked.get(resolver);
}
