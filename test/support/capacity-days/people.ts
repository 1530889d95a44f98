import {
  deleteUnreadable,
  end,
  extend,
  giveBackSpare,
  type Hands,
  loseRecord,
  lowerMaxSize,
  make,
  occur,
  raiseMaxSize,
  schedule,
  setCapacity,
  unschedule,
  writeUnreadable,
} from './deeds.ts';
import type { Judge } from './judge/judge.ts';
import { type DaysPlan, groupNames, type PlannedSchedule } from './plan.ts';

export interface People extends Hands {
  readonly plan: DaysPlan;
  readonly judge: Judge;
  /** The names of schedules that have been deleted. */
  readonly unscheduled: Set<string>;
}

export async function peopleHold(people: People, now: number): Promise<void> {
  for (const hold of people.plan.holds) {
    if (hold.from === now) await make(people, hold);
    if (hold.extendedAt === now) await extend(people, hold);
    if (hold.endedAt === now) await end(people, hold);
  }
}

const minute = 60_000;
const day = 24 * 60 * minute;
/** The hold of a schedule may exist from the lead on, and must exist from its time on. */
const bookedAheadMinutes = 25;

/** A schedule is deleted when none of its times is near: otherwise it would depend on seconds whether its hold was created. */
export function peopleSchedule(people: People, now: number): void {
  for (const planned of people.plan.schedules) {
    if (now < planned.from || people.unscheduled.has(planned.name)) continue;
    const time = people.world.clock.now();
    const next = nextTimeOf(planned, time - minute / 2);
    const isNear = next - time < bookedAheadMinutes * minute;
    if (planned.from === now) begin(people, planned);
    else if (isNear && next - time >= (bookedAheadMinutes - 1) * minute) occur(people, planned, next);
    if (now < planned.to || isNear) continue;
    unschedule(people, planned);
    people.unscheduled.add(planned.name);
  }
}

/** A schedule that is created during one of its times holds immediately. */
function begin(people: People, planned: PlannedSchedule): void {
  schedule(people, planned);
  const time = people.world.clock.now();
  const next = nextTimeOf(planned, time);
  for (const at of [next - day, next])
    if (at + planned.durationMinutes * minute > time && at - time < bookedAheadMinutes * minute)
      occur(people, planned, at);
}

function nextTimeOf({ hour, minute: ofHour }: PlannedSchedule, after: number): number {
  const today = Math.floor(after / day) * day + (hour * 60 + ofHour) * minute;
  return today > after ? today : today + day;
}

/** If a record is deleted during a hold, the base is unknown until an operator sets MinSize again. */
export async function handsSlip(people: People, now: number): Promise<void> {
  const { plan, book, judge } = people;
  const [group] = groupNames;
  if (now === plan.recordLostAt) {
    await loseRecord(people, group);
    book.setByOthers(group, { ...book.boundsOf(group) });
  }
  if (now === plan.unreadableAt) await writeUnreadable(people, group);
  if (now === plan.unreadableAt + 30) await deleteUnreadable(people, group);
  if ([plan.recordLostAt, plan.unreadableAt, plan.unreadableAt + 30].includes(now)) judge.disturbed(group);
}

/** An operator lowers MaxSize below what holds ask for, and raises it hours later. */
export function peopleBound(people: People, now: number): void {
  for (const { group, from, to, low, high } of people.plan.maxSizes) {
    if (now === from) lowerMaxSize(people, group, low);
    if (now === to) raiseMaxSize(people, group, high);
    if (now === from || now === to) people.judge.disturbed(group);
  }
}

/** EC2 has no instances of the groups' type in any zone, for hours. The groups have no spare nodes when that begins. */
export function ec2RunsOut(people: People, now: number): void {
  const { shortages } = people.plan;
  if (shortages.some(({ from }) => now === from))
    for (const group of groupNames) giveBackSpare(people, group);
  if (!shortages.some(({ from, to }) => now === from || now === to)) return;
  setCapacity(people, !shortages.some(({ from, to }) => from <= now && now < to));
}
