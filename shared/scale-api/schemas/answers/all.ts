import * as capacity from './capacity.ts';
import * as group from './group.ts';
import * as hold from './hold.ts';
import * as roll from './roll.ts';
import * as schedule from './schedule.ts';
import * as status from './status.ts';

/** The schemas of all answers, by the names with which routes refer to them. */
export const answerSchemas = { ...capacity, ...group, ...hold, ...roll, ...schedule, ...status };
