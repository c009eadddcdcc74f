/** Marks the functions that `createCoreController` and `createCoreService` provide themselves. */
const CORE = Symbol.for('galley.core');

/** Marks functions as those of the core. */
export function markCore<T extends object>(functions: T): T {
  for (const each of Object.values(functions))
    if (typeof each === 'function') Object.defineProperty(each, CORE, { value: true });
  return functions;
}

/** True if a method is the one of the core, which the project has not replaced. */
export function isCoreMethod(target: unknown, name: string): boolean {
  if (typeof target !== 'object' || target === null) return false;
  const method: unknown = Reflect.get(target, name);
  return typeof method === 'function' && Reflect.get(method, CORE) === true;
}
