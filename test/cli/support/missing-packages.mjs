// Preloaded into a process. Makes packages that match MISSING_PACKAGES appear as not installed.
import Module, { register } from 'node:module';

const missing = process.env.MISSING_PACKAGES;
const notFound = (specifier) =>
  `Object.assign(new Error("Cannot find package '" + ${specifier} + "'"), { code: 'ERR_MODULE_NOT_FOUND' })`;

register(
  `data:text/javascript,${encodeURIComponent(`
  const missing = new RegExp(${JSON.stringify(missing)});
  export async function resolve(specifier, context, next) {
    if (missing.test(specifier)) throw ${notFound('specifier')};
    return next(specifier, context);
  }
`)}`,
  import.meta.url,
);

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolve(request, ...rest) {
  if (new RegExp(missing).test(request))
    throw Object.assign(new Error(`Cannot find module '${request}'`), { code: 'MODULE_NOT_FOUND' });
  return resolveFilename.call(this, request, ...rest);
};
