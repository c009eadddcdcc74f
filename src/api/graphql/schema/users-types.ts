import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { GraphQLNamedType } from 'graphql';

const text = { type: GraphQLString };
const flag = { type: GraphQLBoolean };
const id = { type: new GraphQLNonNull(GraphQLID) };

/** `String!` */
export const requiredText = { type: new GraphQLNonNull(GraphQLString) };

const ME_ROLE = new GraphQLObjectType({
  name: 'UsersPermissionsMeRole',
  fields: { id, name: requiredText, description: text, type: text },
});

export const ME = new GraphQLObjectType({
  name: 'UsersPermissionsMe',
  fields: {
    id,
    documentId: id,
    username: requiredText,
    email: text,
    confirmed: flag,
    blocked: flag,
    role: { type: ME_ROLE },
  },
});

export const REGISTER_INPUT = new GraphQLInputObjectType({
  name: 'UsersPermissionsRegisterInput',
  fields: { username: requiredText, email: requiredText, password: requiredText },
});

export const LOGIN_INPUT = new GraphQLInputObjectType({
  name: 'UsersPermissionsLoginInput',
  fields: {
    identifier: requiredText,
    password: requiredText,
    provider: { type: new GraphQLNonNull(GraphQLString), defaultValue: 'local' },
  },
});

export const LOGIN_PAYLOAD = new GraphQLObjectType({
  name: 'UsersPermissionsLoginPayload',
  fields: { jwt: text, user: { type: new GraphQLNonNull(ME) } },
});

const okPayload = (name: string): GraphQLObjectType =>
  new GraphQLObjectType({ name, fields: { ok: { type: new GraphQLNonNull(GraphQLBoolean) } } });

export const PASSWORD_PAYLOAD = okPayload('UsersPermissionsPasswordPayload');
export const CREATE_ROLE_PAYLOAD = okPayload('UsersPermissionsCreateRolePayload');
export const UPDATE_ROLE_PAYLOAD = okPayload('UsersPermissionsUpdateRolePayload');
export const DELETE_ROLE_PAYLOAD = okPayload('UsersPermissionsDeleteRolePayload');

export const FILE_INFO_INPUT = new GraphQLInputObjectType({
  name: 'FileInfoInput',
  fields: { alternativeText: text, caption: text, name: text },
});

/** All types above, including those that only other types use. */
export const USERS_TYPES: readonly GraphQLNamedType[] = [
  ME_ROLE,
  ME,
  REGISTER_INPUT,
  LOGIN_INPUT,
  LOGIN_PAYLOAD,
  PASSWORD_PAYLOAD,
  CREATE_ROLE_PAYLOAD,
  UPDATE_ROLE_PAYLOAD,
  DELETE_ROLE_PAYLOAD,
  FILE_INFO_INPUT,
];
