import * as z from 'zod/mini';

/** The name of a set of declared holds and schedules: the owner of the records that `drover apply` writes. */
export const setNameSchema = () => z.string().check(z.regex(/^[A-Za-z0-9][\w.-]{0,62}$/));
