import type { AccountContext } from '../../../access/accounts/account-context.js';
import type { Handler, RestDependencies } from '../rest-dependencies.js';
import type { AccountOperation } from '../routes/account-routes.js';
import { authHandlers } from './auth-handlers.js';
import { roleHandlers } from './role-handlers.js';
import { userHandlers } from './user-handlers.js';

/** Returns the handlers of all operations about accounts. */
export function accountHandlers(
  dependencies: RestDependencies,
  accounts: AccountContext,
): Readonly<Record<AccountOperation, Handler>> {
  return {
    ...authHandlers(accounts),
    ...userHandlers(dependencies, accounts),
    ...roleHandlers(dependencies, accounts),
  };
}
