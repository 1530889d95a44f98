/** An EC2 instance id, for use within larger patterns. */
export const instanceIdSource = 'i-(?:[0-9a-f]{8}|[0-9a-f]{17})';

/** A text that is an EC2 instance id and nothing else: eight digits (until 2016) or seventeen. */
export const instanceIdPattern: RegExp = new RegExp(`^${instanceIdSource}$`);
