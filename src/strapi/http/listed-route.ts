import { isRecord } from '../../lib/is-record.js';
import type { TableEntry } from './route-table.js';

/** A route of the project's own, or of the core as the project has it. */
export interface ListedRoute {
  readonly method: string;
  readonly path: string;
  /**
   * `project`: its code answers. `core`: the server does. `excluded`: nobody, since the project leaves it
   * out.
   */
  readonly kind: 'project' | 'core' | 'excluded';
  /** The actions that a caller needs. Empty: none. */
  readonly actions: readonly string[];
  readonly policies: readonly string[];
  readonly middlewares: readonly string[];
  /** The file that states it. Null: none does. */
  readonly file: string | null;
}

const namesOf = (entries: readonly unknown[] = []): readonly string[] =>
  entries.map((entry) => {
    const name: unknown = isRecord(entry) ? (entry['name'] ?? entry['resolve']) : entry;
    return typeof name === 'string' ? name : 'function';
  });

/** Describes what the server decided about a route. */
export function describeEntry({ route, treatment }: TableEntry): ListedRoute {
  const { auth, policies, middlewares } = route.config;
  return {
    method: route.method,
    path: route.path,
    kind: treatment.kind,
    actions: auth === false ? [] : (auth?.scope ?? []),
    policies: namesOf(policies),
    middlewares: namesOf(middlewares),
    file: route.origin.file ?? null,
  };
}
