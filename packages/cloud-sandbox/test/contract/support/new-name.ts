import { prefixOf } from '../../../real/account/mark.ts';
import { readSettings } from '../../../real/account/settings.ts';

const settings = readSettings(process.env);
const prefix = settings === undefined ? 'case-' : prefixOf(settings);

/** A name that no other case uses: all cases share an emulator, or an account, in which it has the prefix of the run. */
export const newName = (): string => `${prefix}${crypto.randomUUID()}`;
