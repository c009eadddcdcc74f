import type { Service } from '../graphql-parts.js';
import { argumentsOf } from '../selection/plan-read.js';
import { asks } from './granted.js';
import type { Permission } from './granted.js';
import type { RootResolver } from './root-field.js';

/** A mutation of a plugin: first the right, then what it does. */
export function resolveService({ uid, action }: Permission, service: Service): RootResolver {
  return asks({ uid, action }, async (_source, _args, context, info) => {
    const call = context.project.calls.get(info.path);
    if (call?.isWaived !== true) context.parts.access.authorise(context.caller, uid, action);
    return service({ args: call?.args ?? argumentsOf(info), context, info });
  });
}
