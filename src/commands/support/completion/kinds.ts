/**
 * What kind of name an argument or a flag takes, so that the shell can offer the ones that exist. `grantable`: a type or a plugin's
 * controller, which `action`s are granted on; `permission`: both in one word.
 */
export type CompletionKind = 'type' | 'component' | 'field' | 'role' | 'locale' | 'token' | 'user' | 'grantable' | 'action' | 'permission' | 'path';

/** By the argument's or the flag's name. Flags with fixed options need no entry. */
export type CompletionKinds = Readonly<Record<string, CompletionKind>>;
