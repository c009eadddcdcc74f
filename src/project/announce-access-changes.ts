import type { Access } from '../access/access.js';
import { bumpAccessVersion } from '../access/change-access.js';
import { PERMISSION_UID, ROLE_UID } from '../model/content-types/builtin/registry.js';
import type { DocumentHooks, WriteAction } from '../documents/hooks.js';

const ACTIONS: readonly WriteAction[] = ['create', 'update', 'delete'];
const ACCESS_TYPES = [ROLE_UID, PERMISSION_UID];

/**
 * Project code may write roles and permissions as documents. Every running server then loads them; this one
 * has done so before the write returns.
 */
export function announceAccessChanges(hooks: DocumentHooks, access: Pick<Access, 'refresh'>): void {
  for (const action of ACTIONS)
    hooks.observe(
      action,
      async (_events, tx) => {
        await bumpAccessVersion(tx);
        tx.afterCommit(access.refresh);
      },
      ACCESS_TYPES,
    );
}
