import { route53Area } from '../support/account-areas.ts';

route53Area.register();
