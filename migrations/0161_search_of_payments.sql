-- Payments between people are found by a part of their note or reference, as requests are.
CREATE INDEX person_payment_search ON person_payment
  USING gin ((note || ' ' || reference) gin_trgm_ops);
