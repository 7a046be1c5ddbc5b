-- Time zones of companies in euros and in pounds: London and the capitals of the euro area.

ALTER TABLE company_settings
  DROP CONSTRAINT company_settings_time_zone_check,
  ADD CONSTRAINT company_settings_time_zone CHECK (time_zone IN (
    'est', 'cst', 'mst', 'pst', 'london', 'dublin', 'lisbon', 'amsterdam', 'berlin', 'bratislava',
    'brussels', 'ljubljana', 'luxembourg', 'madrid', 'paris', 'rome', 'valletta', 'vienna', 'zagreb',
    'athens', 'helsinki', 'nicosia', 'riga', 'sofia', 'tallinn', 'vilnius'));
