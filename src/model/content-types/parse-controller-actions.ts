import { byCodePoint } from '../../lib/compare.js';
import { registeredName } from '../../lib/registered-name.js';
import type { ControllerActions } from './definition.js';

/** A file of src/api/<api>/routes. */
export interface RouteFile {
  readonly api: string;
  readonly text: string;
}

const HANDLER = /\bhandler["']?\s*:\s*(['"`])([\w:.-]*\w)\1(?!\s*[+.])/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/g;

/** `article.top` of the API `article` is `api::article.article.top`. */
const fullName = (api: string, handler: string): string =>
  handler.includes('::') ? handler : `api::${registeredName(api)}.${handler}`;

/**
 * Finds the actions that files of routes name, without running them: roles and tokens may be granted these.
 * Handlers that are functions, or whose names are computed, are not found.
 */
export function parseControllerActions(files: readonly RouteFile[]): readonly ControllerActions[] {
  const actions = new Map<string, Set<string>>();
  for (const { api, text } of files)
    for (const [, , handler = ''] of text.replace(COMMENT, '').matchAll(HANDLER)) {
      const name = fullName(api, handler);
      const dot = name.lastIndexOf('.');
      const uid = name.slice(0, dot);
      actions.set(uid, (actions.get(uid) ?? new Set()).add(name.slice(dot + 1)));
    }
  return [...actions]
    .map(([uid, found]) => ({ uid, actions: [...found].toSorted(byCodePoint) }))
    .toSorted((left, right) => byCodePoint(left.uid, right.uid));
}
