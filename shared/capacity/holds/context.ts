import type { Clock } from '../../base/clock.ts';
import type { Notify } from '../../notifications/notification.ts';
import type { Groups } from '../groups.ts';
import type { HoldPaths } from './parameters.ts';

/**
 * Why Parameter Store refused:
 * - `throttled`: too many calls in this account and region;
 * - `unavailable`: no response, or a server error: a change may have been made;
 * - `denied`: the role lacks the permission;
 * - `full`: the account has reached its quota of parameters;
 * - `invalid`: it does not accept a parameter of that name.
 */
export class HoldParametersError extends Error {
  override readonly name = 'HoldParametersError';
  readonly code: 'throttled' | 'unavailable' | 'denied' | 'full' | 'invalid';

  constructor(code: HoldParametersError['code'], message: string, options: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The parameters of holds and of the records of floors, as plain text. Methods reject with a HoldParametersError if Parameter Store refuses or
 * does not respond.
 */
export interface HoldParameters {
  /** The text of each parameter below a path, by its full name. */
  listBelow(path: string): Promise<ReadonlyMap<string, string>>;
  read(name: string): Promise<string | undefined>;
  /** Creates a parameter; false if one of that name exists. That parameter is not changed. */
  create(name: string, text: string): Promise<boolean>;
  /** Creates or replaces a parameter. */
  write(name: string, text: string): Promise<void>;
  /** Succeeds if the parameter does not exist. */
  remove(name: string): Promise<void>;
}

/** What a pass over the capacity of a group needs. */
export interface HoldContext {
  readonly parameters: HoldParameters;
  readonly groups: Pick<Groups, 'listGroups' | 'describeGroup' | 'setBounds'>;
  readonly clock: Clock;
  readonly notify: Notify;
  readonly clusterName: string;
  readonly paths: HoldPaths;
  /** The highest MaxSize that Drover sets for a hold. */
  readonly maxSizeLimit: number;
}
