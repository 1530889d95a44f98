import { autoScalingEventsArea } from '../support/account-areas.ts';

autoScalingEventsArea.register();
