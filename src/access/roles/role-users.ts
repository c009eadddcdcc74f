import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { parseRecordId } from '../../lib/record-id.js';
import type { ContentModel } from '../../model/model.js';
import type { RoleRecord } from '../access.js';
import { columnLinkOf } from './role-tables.js';
import { userType } from '../accounts/user-attributes.js';

/** The users of a role, in order: by document id or numeric id. */
export type RoleUsers = readonly string[];

/** Returns the document ids of users in the given order, without duplicates. Throws `access/unknown-user`. */
const findUserDocumentIds = async (
  tx: Transaction,
  model: ContentModel,
  users: RoleUsers,
): Promise<readonly string[]> => {
  const rows = await tx.model(userType(model).storage.version.model).findMany({
    where: {
      OR: [{ documentId: { in: users } }, { id: { in: users.flatMap((user) => parseRecordId(user) ?? []) } }],
    },
    select: { id: true, documentId: true },
  });
  const documentIds = new Map(
    rows.flatMap(({ id, documentId }) => [
      [String(id), String(documentId)] as const,
      [String(documentId), String(documentId)] as const,
    ]),
  );
  return [
    ...new Set(
      users.map((user) => {
        const documentId = documentIds.get(user);
        if (documentId === undefined) throw createError('access/unknown-user', { user: user.slice(0, 60) });
        return documentId;
      }),
    ),
  ];
};

/** Sets the users of a role. All others who had it are left without a role. Throws `access/unknown-user`. */
export async function writeRoleUsers(
  tx: Transaction,
  model: ContentModel,
  role: RoleRecord,
  users: RoleUsers,
): Promise<void> {
  const type = userType(model);
  const { field, position } = columnLinkOf(type, 'role');
  const versions = tx.model(type.storage.version.model);
  const assignedIds = await findUserDocumentIds(tx, model, users);
  const previousIds = (
    await versions.findMany({ where: { [field]: role.documentId }, select: { documentId: true } })
  ).map((row) => String(row['documentId']));
  await tx.model(type.storage.document.model).updateMany({
    where: { documentId: { in: [...new Set([...previousIds, ...assignedIds])] } },
    data: { revision: { increment: 1 } },
  });
  const positionValues = (order: number | null): Readonly<Record<string, unknown>> =>
    position === null ? {} : { [position.field]: order };
  await versions.updateMany({
    where: { documentId: { in: previousIds.filter((documentId) => !assignedIds.includes(documentId)) } },
    data: { [field]: null, ...positionValues(null) },
  });
  for (const [index, documentId] of assignedIds.entries())
    await versions.updateMany({
      where: { documentId },
      data: { [field]: role.documentId, ...positionValues(index + 1) },
    });
}
