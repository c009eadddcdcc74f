import type { PluginMutation } from '../graphql-context.js';
import { argumentsOf } from '../selection/plan-read.js';
import { withRequiredPermission } from './required-permission.js';
import type { Permission } from '../../../access/permissions/controllers.js';
import type { RootResolver } from './root-field.js';

/** Returns a resolver that authorises the caller, then runs the mutation. */
export function resolvePluginMutation({ uid, action }: Permission, mutation: PluginMutation): RootResolver {
  return withRequiredPermission({ uid, action }, async (_source, _args, context, info) => {
    const call = context.project.calls.get(info.path);
    if (call?.isAuthorisationSkipped !== true)
      context.dependencies.access.authorise(context.caller, uid, action);
    return mutation({ args: call?.args ?? argumentsOf(info), context, info });
  });
}
