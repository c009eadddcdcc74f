import { parse, pathToRegexp } from 'path-to-regexp';
import type { Key } from 'path-to-regexp';
import { isRecord } from '../../lib/records.js';
import type { Middleware } from './context.js';
import type { ProjectRoute } from './routes.js';

/** A path of a route, compiled. */
interface PathPattern {
  readonly names: readonly string[];
  readonly expression: RegExp;
  /** A path that matches, to find patterns that shadow this one. */
  readonly sample: string;
}

/**
 * Compiles a path with the syntax of Koa's router: `/posts/:slug`, `/posts/:id(\\d+)`, `/files/:path*`,
 * `/any/(.*)`. Letters match in any case, and a trailing slash is ignored.
 */
export function compilePath(path: string): PathPattern {
  const keys: Key[] = [];
  const expression = pathToRegexp(path, keys);
  const sample = parse(path).map((token) => {
    if (typeof token === 'string') return token;
    return token.modifier === '' || token.modifier === '+' ? `${token.prefix}a${token.suffix}` : '';
  });
  return { names: keys.map(({ name }) => String(name)), expression, sample: sample.join('') || '/' };
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Returns the parameters of a path, or null if the pattern does not match. */
function matchPath(
  { names, expression }: PathPattern,
  path: string,
): Readonly<Record<string, string>> | null {
  const match = expression.exec(path);
  if (match === null) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = match[index + 1];
    if (value !== undefined) params[name] = decode(value);
  }
  return params;
}

/**
 * The handling of a request: by project code (`project`), by the server's route, perhaps after middlewares
 * and policies of the project (`core`), or none, since the project excludes the route (`excluded`).
 */
export type Treatment =
  | { readonly kind: 'project'; readonly run: Middleware }
  | { readonly kind: 'core'; readonly middleware: Middleware | null }
  | { readonly kind: 'excluded' };

export interface TableEntry {
  readonly route: ProjectRoute;
  readonly treatment: Treatment;
}

interface CompiledEntry extends TableEntry {
  readonly pattern: PathPattern;
}

export interface RouteMatch extends TableEntry {
  readonly params: Readonly<Record<string, string>>;
  /** Returns the next route that matches the request. */
  readonly nextMatch: () => RouteMatch | null;
}

/** The routes of the project in the order in which they are matched. */
export interface RouteTable {
  readonly entries: readonly TableEntry[];
  readonly match: (method: string, path: string) => RouteMatch | null;
  /** Returns the methods of the project's routes at a path. */
  readonly methodsOf: (path: string) => readonly string[];
  /** Returns pairs of routes whose first one matches all requests of the second. */
  readonly shadowed: () => readonly (readonly [ProjectRoute, ProjectRoute])[];
}

/** Returns the part of a path before its first parameter, which all matching paths start with. */
const fixedStart = (path: string): string => {
  const [start = ''] = /^[^:({*\\]*/.exec(path) ?? [];
  return start.toLowerCase();
};

/**
 * Returns the first two segments of a path, such as `/api/articles`. Entries are grouped by them to match
 * fewer.
 */
const pathGroup = (path: string): string => {
  const second = path.indexOf('/', 1);
  const third = second < 0 ? -1 : path.indexOf('/', second + 1);
  return (third < 0 ? path : path.slice(0, third)).toLowerCase();
};

const takesMethod = (entry: string, method: string): boolean =>
  entry === method || entry === 'ALL' || (method === 'HEAD' && entry === 'GET');

const entryGroup = ({ route }: TableEntry): string => pathGroup(fixedStart(route.path).replace(/\/$/, ''));

const isLeftToServer = ({ treatment }: TableEntry): boolean =>
  treatment.kind === 'core' && treatment.middleware === null;

/** Groups entries by the start of their paths. Entries that start with a parameter belong to every group. */
const groupEntries = (entries: readonly CompiledEntry[]): ((path: string) => readonly CompiledEntry[]) => {
  const isFixed = ({ route }: CompiledEntry): boolean => {
    const start = fixedStart(route.path);
    return start === route.path.toLowerCase() || (start.match(/\//g) ?? []).length > 2;
  };
  const others = entries.filter((entry) => !isFixed(entry));
  const groups = new Map<string, CompiledEntry[]>();
  for (const entry of entries) if (isFixed(entry)) groups.set(entryGroup(entry), []);
  for (const [key, group] of groups) {
    const found = entries.filter((entry) => !isFixed(entry) || entryGroup(entry) === key);
    // Requests of types that the project leaves to the server need no lookup.
    if (!found.every(isLeftToServer)) group.push(...found);
  }
  const rest = others.every(isLeftToServer) ? [] : others;
  return (path) => groups.get(pathGroup(path)) ?? rest;
};

/** Creates the table that matches requests to routes. */
export function createRouteTable(entries: readonly TableEntry[]): RouteTable {
  const compiled = entries.map((entry) => ({ ...entry, pattern: compilePath(entry.route.path) }));
  const entriesFor = groupEntries(compiled);
  const matchFrom = (start: number, method: string, path: string): RouteMatch | null => {
    const tried = entriesFor(path);
    for (let index = start; index < tried.length; index += 1) {
      const entry = tried[index];
      if (entry === undefined || !takesMethod(entry.route.method, method)) continue;
      const params = matchPath(entry.pattern, path);
      const { route, treatment } = entry;
      if (params !== null)
        return { route, treatment, params, nextMatch: () => matchFrom(index + 1, method, path) };
    }
    return null;
  };
  return {
    entries,
    match: (method, path) => matchFrom(0, method, path),
    methodsOf: (path) => [
      ...new Set(
        entriesFor(path)
          .filter(({ treatment, pattern }) => treatment.kind !== 'excluded' && pattern.expression.test(path))
          .map(({ route }) => route.method),
      ),
    ],
    shadowed: () =>
      compiled.flatMap((later, index) => {
        const earlier = compiled
          .slice(0, index)
          .find(
            ({ route, pattern }) =>
              takesMethod(route.method, later.route.method) && pattern.expression.test(later.pattern.sample),
          );
        return earlier === undefined ? [] : [[earlier.route, later.route] as const];
      }),
  };
}

/** A route of the project, or a core route as the project has changed it. */
export interface ListedRoute {
  readonly method: string;
  readonly path: string;
  /**
   * The handler: project code (`project`), the server (`core`), or none, since the project excludes the route
   * (`excluded`).
   */
  readonly kind: 'project' | 'core' | 'excluded';
  /** The permissions that a caller needs. Empty if none. */
  readonly actions: readonly string[];
  readonly policies: readonly string[];
  readonly middlewares: readonly string[];
  /** The file that declares it. Null if none does. */
  readonly file: string | null;
}

const middlewareNames = (entries: readonly unknown[] = []): readonly string[] =>
  entries.map((entry) => {
    const name: unknown = isRecord(entry) ? (entry['name'] ?? entry['resolve']) : entry;
    return typeof name === 'string' ? name : 'function';
  });

/** Describes the handling of a route. */
export function describeEntry({ route, treatment }: TableEntry): ListedRoute {
  const { auth, policies, middlewares } = route.config;
  return {
    method: route.method,
    path: route.path,
    kind: treatment.kind,
    actions: auth === false ? [] : (auth?.scope ?? []),
    policies: middlewareNames(policies),
    middlewares: middlewareNames(middlewares),
    file: route.origin.file ?? null,
  };
}
