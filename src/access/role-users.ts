import type { Transaction } from '../database/database.js';
import { fail } from '../errors/catalogue.js';
import type { ContentModel } from '../model/model.js';
import type { RoleRecord } from './access.js';
import { columnLinkOf } from './role-tables.js';
import { userType } from './user-attributes.js';

/** Users that have a role, in order: by document id, or by number where the text is one. */
export type RoleUsers = readonly string[];

const NUMBER = /^[1-9]\d{0,9}$/;

/** The largest id the databases have room for. */
const MAX_ID = 2_147_483_647;

const isNumber = (user: string): boolean => NUMBER.test(user) && Number(user) <= MAX_ID;

/** Document ids of users, in the order given, each once. Throws `access/unknown-user`. */
const findUsers = async (tx: Transaction, model: ContentModel, users: RoleUsers): Promise<readonly string[]> => {
  const rows = await tx.model(userType(model).storage.version.model).findMany({
    where: { OR: [{ documentId: { in: users } }, { id: { in: users.filter(isNumber).map(Number) } }] },
    select: { id: true, documentId: true },
  });
  const known = new Map(rows.flatMap(({ id, documentId }) => [[String(id), String(documentId)] as const, [String(documentId), String(documentId)] as const]));
  return [...new Set(users.map((user) => {
    const documentId = known.get(user);
    if (documentId === undefined) throw fail('access/unknown-user', { user: user.slice(0, 60) });
    return documentId;
  }))];
};

/** Makes these the users that have the role; whoever else had it is left without one. Throws `access/unknown-user`. */
export async function writeRoleUsers(tx: Transaction, model: ContentModel, role: RoleRecord, users: RoleUsers): Promise<void> {
  const type = userType(model);
  const { field, position } = columnLinkOf(type, 'role');
  const versions = tx.model(type.storage.version.model);
  const wanted = await findUsers(tx, model, users);
  const before = (await versions.findMany({ where: { [field]: role.documentId }, select: { documentId: true } })).map((row) => String(row['documentId']));
  await tx.model(type.storage.anchor.model).updateMany({ where: { documentId: { in: [...new Set([...before, ...wanted])] } }, data: { revision: { increment: 1 } } });
  const placed = (place: number | null): Readonly<Record<string, unknown>> => (position === null ? {} : { [position.field]: place });
  await versions.updateMany({ where: { documentId: { in: before.filter((documentId) => !wanted.includes(documentId)) } }, data: { [field]: null, ...placed(null) } });
  for (const [index, documentId] of wanted.entries()) await versions.updateMany({ where: { documentId }, data: { [field]: role.documentId, ...placed(index + 1) } });
}
