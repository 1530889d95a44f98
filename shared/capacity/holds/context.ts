import type { Clock } from '../../base/clock.ts';
import type { Notify } from '../../notifications/notification.ts';
import type { Groups } from '../groups.ts';
import type { HoldPaths } from './parameters.ts';

/**
 * Why Parameter Store refused:
 * - `throttled`: too many calls in this account and region;
 * - `unavailable`: no answer, or a server error: a change may have been made;
 * - `denied`: the role lacks the permission;
 * - `full`: the account has as many parameters as it may have;
 * - `invalid`: it takes no parameter of that name.
 */
export class HoldParametersError extends Error {
  override readonly name = 'HoldParametersError';
  readonly code: 'throttled' | 'unavailable' | 'denied' | 'full' | 'invalid';

  constructor(code: HoldParametersError['code'], message: string, options: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The parameters of holds and of the records of floors, as plain text. Methods reject with a HoldParametersError where Parameter Store refuses or does not answer. */
export interface HoldParameters {
  /** The text of each parameter below a path, by its whole name. */
  listBelow(path: string): Promise<ReadonlyMap<string, string>>;
  read(name: string): Promise<string | undefined>;
  /** Makes a parameter; false where one of that name exists already, which stays as it is. */
  create(name: string, text: string): Promise<boolean>;
  /** Makes or replaces a parameter. */
  write(name: string, text: string): Promise<void>;
  /** One that does not exist is no mistake. */
  remove(name: string): Promise<void>;
}

/** What a pass over the capacity of a group acts with. */
export interface HoldContext {
  readonly parameters: HoldParameters;
  readonly groups: Pick<Groups, 'listGroups' | 'describeGroup' | 'setBounds'>;
  readonly clock: Clock;
  /** Tells people. */
  readonly notify: Notify;
  readonly clusterName: string;
  readonly paths: HoldPaths;
  /** The highest MaxSize that a hold is given. */
  readonly maxSizeLimit: number;
}
