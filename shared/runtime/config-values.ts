import { parseDurationSeconds } from '../base/duration.ts';
import { isBootstrapGroup } from '../credentials/token.ts';
import { type BootstrapRole, bootstrapRoles, roleGroupOf } from '../credentials/token-cluster.ts';
import type { Role } from '../groups/group.ts';

/** One environment variable: its name, the allowed values, how it is read, and its default. */
export interface Variable<Value> {
  readonly name: string;
  readonly allowed: string;
  /** Undefined if the text is not allowed. */
  readonly read: (text: string) => Value | undefined;
  readonly fallback?: Value;
}

// How the value of an environment variable is read. Each function returns undefined if the text is not allowed.

export const matching =
  (pattern: RegExp) =>
  (text: string): string | undefined =>
    pattern.test(text) ? text : undefined;

export const wholeNumber = (text: string): number | undefined =>
  /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;

export const seconds =
  (minimum: number, maximum: number) =>
  (text: string): number | undefined => {
    const value = parseDurationSeconds(text);
    if (value === undefined || !Number.isInteger(value)) return undefined;
    return value >= minimum && value <= maximum ? value : undefined;
  };

export const boolean = (text: string): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined;

export const onOrOff = (text: string): boolean | undefined =>
  text === 'on' ? true : text === 'off' ? false : undefined;

export const oneOf =
  <const Word extends string>(...words: readonly Word[]) =>
  (text: string): Word | undefined =>
    words.find((word) => word === text);

/**
 * The groups of worker tokens. No group of another role is allowed: a worker's token could then request a certificate for the name of
 * one of that role's nodes.
 */
export const bootstrapGroups = (text: string): string | undefined =>
  text.split(',').every((group) => isBootstrapGroup(group) && !isOfOtherRole(group)) ? text : undefined;

const isOfOtherRole = (group: string): boolean =>
  group.startsWith(roleGroupOf('worker').replace(/worker$/, '')) && group !== roleGroupOf('worker');

export function tokenRoles(text: string): readonly BootstrapRole[] | undefined {
  const roles = text.split(',');
  const known = bootstrapRoles.filter((role) => roles.includes(role));
  return known.length === roles.length ? known : undefined;
}

/** `worker=PROFILE,control-plane=PROFILE`: several for one role are alternatives. */
export function instanceProfiles(text: string) {
  const pins = text.split(',').map((pair) => /^(worker|control-plane|etcd)=([\w+=.@:/-]{1,512})$/.exec(pair));
  if (!pins.every((pin) => pin !== null)) return undefined;
  return pins.map(([, role, instanceProfile]) => ({
    role: role as Role,
    instanceProfile: instanceProfile ?? '',
  }));
}

export const domainPattern =
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

export const parameterName = {
  allowed: 'the name of an SSM parameter, such as /drover/prod/kubeconfig',
  read: matching(/^\/?[\w.-]+(?:\/[\w.-]+)*$/),
};
export const queueUrl = {
  allowed: 'the URL of an SQS queue',
  read: matching(/^https?:\/\/\S+\/\d{12}\/[\w.-]+$/),
};
export function queueUrls(text: string): readonly string[] | undefined {
  const urls = text.trim().split(/\s+/);
  return urls.every((url) => queueUrl.read(url) !== undefined) ? urls : undefined;
}
export const hookName = {
  allowed: 'the name of a lifecycle hook, such as drover-node-leaving',
  read: matching(/^[\w/-]{1,255}$/),
};
